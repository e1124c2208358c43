import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { Document, Schema } from './calls.ts';

/** Returns the types of all schemas, each under its own name. */
export async function schemasSource(schemas: Readonly<Record<string, Schema>>): Promise<string> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Whence', version: '0' },
    paths: {},
    components: { schemas: withoutNoise(schemas) },
  };
  const nodes = await openapiTS(document as Parameters<typeof openapiTS>[0], {
    alphabetize: false,
    // Fields with a default are optional.
    defaultNonNullable: false,
    silent: true,
  });
  return plainComments(astToString(declarationsOf(nodes).map((node) => withUndefined(node))));
}

/** Removes tags from comments: a description needs none, and the types express the rest. */
function plainComments(source: string): string {
  return source
    .replaceAll('@description ', '')
    .replaceAll(/\/\*\* @(enum|constant)\b.*\*\/\n/g, '')
    .replaceAll(/^ *\* (@enum|@constant|Format:).*\n/gm, '');
}

/** Returns the webhook types: the resource of each event type, and the union of all deliveries. */
export function webhookEventSource(document: Document): string {
  const told = Object.entries(document.webhooks ?? {}).map(([name, { post }]) => {
    const payload = propertiesOf(document, post.requestBody?.content['application/json']?.schema);
    const type = (payload['type']?.['const'] ?? name) as string;
    return { type, comment: post.description ?? post.summary, data: typeName(payload['data']), payload };
  });
  const imported = [...new Set(told.flatMap(({ data }) => data.split(' | ')))].filter((name) => /^\w+$/.test(name));
  const lines = told.flatMap(({ type, comment, data }) => [
    `  /** ${comment} */`,
    `  ${JSON.stringify(type)}: ${data};`,
  ]);
  const deliveryId = told[0]?.payload['deliveryId']?.type === 'string' ? 'string' : 'number';
  return `${imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from './schemas.ts';\n\n`}/** The data of webhook messages by type: the resource as the API shows it. */
export interface WebhookData {
${lines.length === 0 ? '  [type: string]: unknown;' : lines.join('\n')}
}

export type WebhookEventType = keyof WebhookData;

/** One delivery. Ignore unknown types, because new ones may be added. */
export type WebhookEvent<Of extends WebhookEventType = WebhookEventType> = {
  [Type in Of]: {
    readonly type: Type;
    /** The time of the event, as RFC 3339 in UTC. */
    readonly timestamp: string;
    readonly data: WebhookData[Type];
    /** The same for every attempt. Use it to skip messages that you have already handled. */
    readonly deliveryId: ${deliveryId};
  };
}[Of];
`;
}

function propertiesOf(document: Document, schema: Schema | undefined): Readonly<Record<string, Schema>> {
  const name = schema?.$ref?.split('/').at(-1);
  const whole = name === undefined ? schema : document.components.schemas[name];
  return (whole?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}

/**
 * Simplifies schemas for readable types: drops keywords that TypeScript can't express and moves the description of
 * nullable fields to the field.
 */
function withoutNoise(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return JSON.parse(
    JSON.stringify(schemas, (name, value: unknown) =>
      name === 'propertyNames' || name === 'uniqueItems' ? undefined : describedNullable(value),
    ),
  ) as Record<string, Schema>;
}

/** Moves the default, and the description of the only alternative to null, to the outer schema. */
function describedNullable(value: unknown): unknown {
  const choices = (value as { anyOf?: unknown } | null)?.anyOf;
  if (!Array.isArray(choices)) return value;
  const real = (choices as readonly Schema[]).filter(({ type }) => type !== 'null');
  const { description, examples, default: fallback } = real[0] ?? {};
  const outside = {
    ...(real.length === 1 && description !== undefined ? { description } : {}),
    ...(real.length === 1 && description !== undefined && examples !== undefined ? { examples } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
  return { ...outside, ...(value as object) };
}

/** Returns an interface or an alias for each schema. The package would create one type with all schemas as members. */
function declarationsOf(nodes: readonly ts.Node[]): ts.Node[] {
  const components = nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components');
  const rooms = components === undefined ? [] : [...(components as ts.InterfaceDeclaration).members];
  const schemas = rooms.find((room) => (room.name as ts.Identifier).text === 'schemas') as ts.PropertySignature;
  return [...(schemas.type as ts.TypeLiteralNode).members].map((member) => {
    const declaration = declarationOf(member as ts.PropertySignature);
    return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(member));
  });
}

function declarationOf({ name, type }: ts.PropertySignature): ts.Node {
  const { factory } = ts;
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const own = factory.createIdentifier((name as ts.Identifier).text);
  const plain = withPlainReferences(type as ts.TypeNode);
  return ts.isTypeLiteralNode(plain)
    ? factory.createInterfaceDeclaration(exported, own, undefined, undefined, plain.members)
    : factory.createTypeAliasDeclaration(exported, own, undefined, plain);
}

/** Replaces references: `components["schemas"]["Conversion"]` → `Conversion`. */
function withPlainReferences<Node extends ts.Node>(root: Node): Node {
  const visit = (node: ts.Node): ts.Node => {
    const inner = ts.visitEachChild(node, visit, undefined);
    if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return inner;
    const name = ((node.indexType as ts.LiteralTypeNode).literal as ts.StringLiteral).text;
    return ts.factory.createTypeReferenceNode(name);
  };
  return visit(root) as Node;
}

/** Allows undefined for optional properties, for code that compiles with exactOptionalPropertyTypes. */
function withUndefined<Node extends ts.Node>(root: Node): Node {
  const { factory } = ts;
  const visit = (node: ts.Node): ts.Node => {
    const inner = ts.visitEachChild(node, visit, undefined);
    if (!ts.isPropertySignature(inner) || inner.questionToken === undefined || inner.type === undefined) return inner;
    const type = factory.createUnionTypeNode([
      inner.type,
      factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword),
    ]);
    return factory.updatePropertySignature(inner, inner.modifiers, inner.name, inner.questionToken, type);
  };
  return visit(root) as Node;
}

function typeName(schema: Schema | undefined): string {
  if (schema?.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  const choices = (schema?.['oneOf'] ?? schema?.['anyOf']) as readonly Schema[] | undefined;
  if (choices !== undefined) return choices.map((choice) => typeName(choice)).join(' | ');
  return 'Readonly<Record<string, unknown>>';
}
