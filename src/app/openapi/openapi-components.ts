import { z } from 'zod';
import { exampleOf } from '#core/contract/example.ts';
import { wireSchema } from '#core/contract/fields.ts';

type Json = Record<string, unknown>;

/** The named parts of an OpenAPI document, collected while its operations are described. */
export class OpenapiComponents {
  readonly schemas: Record<string, Json>;
  readonly responses: Record<string, Json> = {};

  constructor(schemas: Readonly<Record<string, Json>>) {
    this.schemas = { ...schemas };
  }

  /** Returns the JSON Schema of a value. A named schema is returned as a reference. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    // Wrap the schema as a property, because zod inlines the root of a document even if it has a name.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ value: schema }), {
      io,
      override: overrideSchema,
      unrepresentable: 'any',
    });
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] = tidySchema(definition);
    return tidySchema(properties?.['value'] ?? {});
  }

  /** Returns an example value of a schema, built from the examples of its fields. */
  exampleOf(schema: Json): unknown {
    return exampleOf(schema, this.schemas);
  }
}

function overrideSchema({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const wire = wireSchema(zodSchema as z.ZodType);
  if (wire !== undefined) {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, wire);
  }
  // zod adds a pattern of two hundred characters to the schema of every time. It is redundant, because it repeats the
  // format.
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  // zod adds the bounds of safe integers to the schema of every integer. They are redundant, because no integer of the
  // API exceeds them.
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['minimum'] === undefined && jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER)
    delete jsonSchema['maximum'];
  // Callers must accept fields that are added to responses later.
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
}

/** Rewrites references so that they point to the document's components, and removes zod's ids. */
function tidySchema(schema: unknown): Json {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    name === 'id' && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
