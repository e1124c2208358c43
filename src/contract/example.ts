type Json = Readonly<Record<string, unknown>>;

/**
 * A short value that a JSON Schema allows, made of the examples of the fields that are required; where there is none, of
 * a field's constant, its default, its first choice, or the plainest value of its type. What may be null is null.
 * `named` are the schemas that references lead to.
 */
export function exampleOf(schema: Json, named: Readonly<Record<string, Json>>): unknown {
  const { examples, const: constant, default: fallback, enum: values, $ref: reference, anyOf, oneOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (constant !== undefined) return constant;
  if (fallback !== undefined) return fallback;
  if (Array.isArray(values)) return values[0];
  if (typeof reference === 'string')
    return exampleOf(named[reference.replace('#/components/schemas/', '')] ?? {}, named);
  const choices = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (choices === undefined) return plainest(schema, named);
  return choices.some(({ type }) => type === 'null') ? null : exampleOf(choices[0] ?? {}, named);
}

function plainest(schema: Json, named: Readonly<Record<string, Json>>): unknown {
  const { type } = schema;
  switch (Array.isArray(type) ? (type[0] as unknown) : type) {
    case 'object':
      return objectOf(schema, named);
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as Json, named)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return false;
    default:
      return 'text';
  }
}

function objectOf(schema: Json, named: Readonly<Record<string, Json>>): unknown {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, named)]));
}
