import Type, { type Static } from 'typebox';

/** Clients send fields of later versions of the API: those that are not here are ignored. */
const open = { additionalProperties: true };
const Part = Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) }, open);
export const ChatCreate = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200 }),
    messages: Type.Array(
      Type.Object(
        {
          role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
          content: Type.Optional(Type.Union([Type.String(), Type.Array(Part), Type.Null()])),
        },
        open,
      ),
      { minItems: 1 },
    ),
    stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    stream_options: Type.Optional(
      Type.Union([Type.Object({ include_usage: Type.Optional(Type.Boolean()) }, open), Type.Null()]),
    ),
    n: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1 }), Type.Null()])),
    response_format: Type.Optional(
      Type.Union([Type.Object({ type: Type.Literal('text') }, open), Type.Null()]),
    ),
    temperature: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    max_tokens: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    max_completion_tokens: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    user: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  open,
);
export type ChatCreate = Static<typeof ChatCreate>;

export const EmbeddingsCreate = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200 }),
    input: Type.Union([
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 512 }),
    ]),
    encoding_format: Type.Optional(Type.Enum(['float', 'base64'])),
    input_type: Type.Optional(Type.Enum(['document', 'query'])),
  },
  open,
);
