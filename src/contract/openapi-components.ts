import { z } from 'zod';
import { exampleOf } from './example.ts';
import { wireSchema } from './fields.ts';

type Json = Record<string, unknown>;

/** The named parts of an OpenAPI document, gathered while its operations are described. */
export class OpenapiComponents {
  readonly schemas: Record<string, Json>;
  readonly responses: Record<string, Json> = {};

  constructor(schemas: Readonly<Record<string, Json>>) {
    this.schemas = { ...schemas };
  }

  /** The JSON Schema of a value: a reference for one with a name. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    // As a property, since zod would write out the root of a document even where it has a name.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ value: schema }), {
      io,
      override,
      unrepresentable: 'any',
    });
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] = tidied(definition);
    return tidied(properties?.['value'] ?? {});
  }

  /** A value of a schema, made of the examples of its fields. */
  exampleOf(schema: Json): unknown {
    return exampleOf(schema, this.schemas);
  }
}

function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const wire = wireSchema(zodSchema as z.ZodType);
  if (wire !== undefined) {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, wire);
  }
  // Says no more than the format, in two hundred characters.
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  // What every JSON integer of ours is: zod says it of each.
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['minimum'] === undefined && jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER)
    delete jsonSchema['maximum'];
  // Callers must bear fields that are added to answers later.
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
}

/** References lead to the document's components, and zod's names for them go. */
function tidied(schema: unknown): Json {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    name === 'id' && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
