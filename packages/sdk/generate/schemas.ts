import type { Document, Schema } from './calls.ts';
import { indentLines } from './resources.ts';

/** Returns TypeScript source with one declaration for each schema: an interface for an object, otherwise an alias. */
export function schemasSource(schemas: Readonly<Record<string, Schema>>): string {
  const declarations = Object.entries(schemas).map(([name, schema]) => {
    const type = typeOf(schema);
    const declaration = schema.type === 'object' ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    return `${commentOf(schema)}export ${declaration}\n`;
  });
  return declarations.join('\n');
}

/** Returns the TypeScript type of a schema. Ignores limits and patterns, which types can't express. */
function typeOf(schema: Schema): string {
  const { $ref: reference, const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (reference !== undefined) return reference.split('/').at(-1) as string;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return unionOf(values.map((value) => JSON.stringify(value)));
  const choices = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (choices !== undefined) return unionOf(choices.map((choice) => typeOf(choice)));
  if (Array.isArray(type)) return unionOf(type.map((each: unknown) => typeOf({ ...schema, type: each })));
  if (type === 'array') return arrayOf(typeOf(schema.items ?? {}));
  if (type === 'object') return `{\n${indentLines(membersOf(schema).join('\n'))}\n}`;
  if (type === undefined) return 'unknown';
  return type === 'integer' ? 'number' : (type as string);
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function arrayOf(item: string): string {
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function membersOf({ properties = {}, required = [], additionalProperties }: Schema): string[] {
  const fields = Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, field]) => {
    const isRequired = (required as readonly string[]).includes(name);
    // Allow undefined, because some callers compile with exactOptionalPropertyTypes and pass undefined.
    return `${commentOf(field)}${nameOf(name)}${isRequired ? '' : '?'}: ${typeOf(field)}${isRequired ? '' : ' | undefined'};`;
  });
  if (typeof additionalProperties !== 'object') return fields;
  return [...fields, `[key: string]: ${typeOf(additionalProperties as Schema)};`];
}

function nameOf(property: string): string {
  return /^[A-Za-z_]\w*$/.test(property) ? property : JSON.stringify(property);
}

/**
 * Returns the comment of a declaration or field, or an empty text if the schema has no description, default or example.
 * If a field may be null and has no description of its own, the comment has the description of the non-null type.
 */
function commentOf(schema: Schema): string {
  const choices = ((schema['anyOf'] ?? []) as readonly Schema[]).filter(({ type }) => type !== 'null');
  const shown: Schema = choices.length === 1 ? { ...choices[0], ...schema } : schema;
  const fallback = shown['default'] ?? choices[0]?.['default'];
  const [example] = (shown['examples'] ?? []) as readonly unknown[];
  const lines = [
    ...((shown['description'] ?? '') as string).split('\n'),
    ...(fallback === undefined ? [] : [`@default ${textOf(fallback)}`]),
    ...(example === undefined ? [] : [`@example ${textOf(example)}`]),
  ]
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('*/', '*\\/'));
  if (lines.length === 0) return '';
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns TypeScript source with the webhook types: the data of each event type, and the union of all deliveries. */
export function webhookEventSource(document: Document): string {
  const messages = Object.entries(document.webhooks ?? {}).map(([name, { post }]) => {
    const payload = propertiesOf(document, post.requestBody?.content['application/json']?.schema);
    const type = (payload['type']?.['const'] ?? name) as string;
    return { type, comment: post.description ?? post.summary, data: typeName(payload['data']), payload };
  });
  const imported = [...new Set(messages.flatMap(({ data }) => data.split(' | ')))].filter((name) => /^\w+$/.test(name));
  const lines = messages.flatMap(({ type, comment, data }) => [
    `  /** ${comment} */`,
    `  ${JSON.stringify(type)}: ${data};`,
  ]);
  const deliveryId = messages[0]?.payload['deliveryId']?.type === 'string' ? 'string' : 'number';
  return `${imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from './schemas.ts';\n\n`}/** The data of webhook messages by type: the resource as the API shows it. */
export interface WebhookData {
${lines.length === 0 ? '  [type: string]: unknown;' : lines.join('\n')}
}

export type WebhookEventType = keyof WebhookData;

/** One delivery. Ignore unknown types, because new types may be added. */
export type WebhookEvent<Of extends WebhookEventType = WebhookEventType> = {
  [Type in Of]: {
    readonly type: Type;
    /** The time of the event, as RFC 3339 in UTC. */
    readonly timestamp: string;
    readonly data: WebhookData[Type];
    /** The id of the delivery, which every attempt repeats. Use it to skip messages that you have already handled. */
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

function typeName(schema: Schema | undefined): string {
  if (schema?.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  const choices = (schema?.['oneOf'] ?? schema?.['anyOf']) as readonly Schema[] | undefined;
  if (choices !== undefined) return choices.map((choice) => typeName(choice)).join(' | ');
  return 'Readonly<Record<string, unknown>>';
}
