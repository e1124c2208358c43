type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a short value that a JSON Schema allows. Prefers the schema's first example, then its constant, its default,
 * its first `enum` value, and the simplest value of its type. An object contains only its required fields. For a union,
 * returns null if null is allowed, or else an example of the first alternative.
 *
 * `named` contains the schemas that `$ref` can refer to.
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
