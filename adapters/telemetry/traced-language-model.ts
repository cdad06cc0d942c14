import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { LanguageModel, ModelEvent } from '../../application/ports/language-model.ts';

/** A language model whose answers are spans, with how many tokens they took, and no word of them. */
export const tracedLanguageModel = <Model extends LanguageModel>(model: Model): Model => {
  const tracer = trace.getTracer('knowledger.language-model');
  async function* stream(...[request, signal]: Parameters<Model['stream']>): AsyncGenerator<ModelEvent> {
    if (trace.getActiveSpan()?.isRecording() !== true) return yield* model.stream(request, signal);
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model.name };
    const span = tracer.startSpan(`chat ${model.name}`, { kind: SpanKind.CLIENT, attributes });
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.kind === 'finish' && event.usage !== null)
          span.setAttributes({
            'gen_ai.usage.input_tokens': event.usage.inputTokens,
            'gen_ai.usage.output_tokens': event.usage.outputTokens,
          });
        yield event;
      }
    } catch (error) {
      const { name } = error as Error;
      span.setAttribute('error.type', name).setStatus({ code: SpanStatusCode.ERROR, message: name });
      throw error;
    } finally {
      span.end();
    }
  }
  return { ...model, stream };
};
