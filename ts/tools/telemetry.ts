import type { Attributes, Context, Counter, Histogram, Span, Tracer } from '@opentelemetry/api';
import { type AuditRecord, auditText } from '../audit/record.js';
import { HandrailError, isHandrailError } from '../errors.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { VERSION } from '../version.js';
import type { CallContext } from './definition.js';
import { MAX_ECHOED_NAME_CHARS } from './limits.js';
import type { TelemetryOptions } from './telemetry-options.js';

/** Most Unicode characters of the arguments in a span. */
export const MAX_SPAN_ARGUMENT_CHARS = 4_096;

/** The API of OpenTelemetry, an optional peer dependency. */
export type TelemetryApi = typeof import('@opentelemetry/api');

const PACKAGE = '@opentelemetry/api';
const COMMAND = `npm install ${PACKAGE}@1`;
const MS_PER_S = 1_000;

/** Makes a call, in the way of `ToolCalls`. */
type MakeCall<Result> = () => Promise<{ readonly result: Result; readonly record: AuditRecord }>;

/** Tells OpenTelemetry of calls: a span for each, and the figures of all. It names what the audit record names. */
export class Telemetry {
  readonly #api: TelemetryApi;
  readonly #redactor: Redactor;
  readonly #options: TelemetryOptions;
  readonly #tracer: Tracer;
  readonly #calls: Counter;
  readonly #denials: Counter;
  readonly #masks: Counter;
  readonly #duration: Histogram;

  constructor(api: TelemetryApi, options: TelemetryOptions, redactor: Redactor) {
    this.#api = api;
    this.#options = options;
    this.#redactor = redactor;
    this.#tracer = api.trace.getTracer('handrail', VERSION);
    const meter = api.metrics.getMeter('handrail', VERSION);
    this.#calls = meter.createCounter('handrail.tool.calls', { unit: '{call}', description: 'Calls of tools' });
    this.#denials = meter.createCounter('handrail.tool.denials', { unit: '{call}', description: 'Calls denied' });
    this.#masks = meter.createCounter('handrail.tool.masks', { unit: '{secret}', description: 'Secrets masked' });
    this.#duration = meter.createHistogram('handrail.tool.duration', { unit: 's', description: 'Time of a call' });
  }

  /**
   * Loads the API.
   *
   * @throws HandrailError `ERR_PEER_MISSING` where it is not installed.
   */
  static async load(options: TelemetryOptions, redactor: Redactor): Promise<Telemetry> {
    let api: TelemetryApi;
    try {
      api = await import('@opentelemetry/api');
    } catch (cause) {
      throw new HandrailError('ERR_PEER_MISSING', `\`telemetry\` needs the package ${PACKAGE}: ${COMMAND}`, {
        data: { package: PACKAGE, command: COMMAND },
        cause,
      });
    }
    return new Telemetry(api, options, redactor);
  }

  /** Makes a call in a span of its own. */
  async call<Result>(
    name: string,
    args: unknown,
    context: CallContext,
    make: MakeCall<Result>,
  ): Promise<{ readonly result: Result; readonly record: AuditRecord }> {
    const tool = firstChars(this.#redactor.redact(name), MAX_ECHOED_NAME_CHARS);
    const attributes = this.#attributesBefore(tool, args, context);
    return await this.#tracer.startActiveSpan(
      `execute_tool ${tool}`,
      { kind: this.#api.SpanKind.INTERNAL, attributes },
      this.#parentOf(context),
      async (span) => {
        try {
          const made = await make();
          this.#ended(span, made.record, context);
          return made;
        } catch (error) {
          this.#failed(span, isHandrailError(error) ? error.code : '_OTHER');
          throw error;
        } finally {
          span.end();
        }
      },
    );
  }

  /** What a client says that it is part of, as the host's propagator reads it; else what goes on in the host. */
  #parentOf({ traceparent }: CallContext): Context {
    const active = this.#api.context.active();
    return traceparent === undefined ? active : this.#api.propagation.extract(active, { traceparent });
  }

  #attributesBefore(tool: string, args: unknown, { callId, caller }: CallContext): Attributes {
    return {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      ...(callId === undefined ? {} : { 'gen_ai.tool.call.id': auditText(this.#redactor, callId) }),
      ...(caller === undefined ? {} : { 'handrail.caller': auditText(this.#redactor, caller) }),
      ...(this.#options.arguments === true ? this.#shown(args) : {}),
    };
  }

  /** The arguments, masked whole and clipped afterwards: half a secret is not recognised. */
  #shown(args: unknown): Attributes {
    let text: string;
    try {
      text = typeof args === 'string' ? args : (JSON.stringify(args) ?? '');
    } catch {
      // A host's own value that is no JSON: the tool refuses it, and the span has no arguments.
      return {};
    }
    return { 'gen_ai.tool.call.arguments': firstChars(this.#redactor.redact(text), MAX_SPAN_ARGUMENT_CHARS) };
  }

  #ended(span: Span, record: AuditRecord, { caller }: CallContext): void {
    const { decision, detail, rules, redactions, contentChars, durationMs, isError, tool, id } = record;
    span.setAttributes({
      'handrail.record.id': id,
      'handrail.decision': decision,
      'handrail.rules': [...rules],
      'handrail.kind': detail.kind,
      'handrail.status': detail.status,
      'handrail.redactions': redactions,
      'handrail.content_chars': contentChars,
      ...(detail.kind === 'command' ? { 'handrail.output_bytes': detail.bytes.stdout + detail.bytes.stderr } : {}),
    });
    if (isError) this.#failed(span, decision === 'deny' ? 'denied' : detail.status);
    // A name that a model made up would be a series of its own.
    const known = rules.includes('unknown_tool') ? '_OTHER' : tool;
    const labels = {
      'gen_ai.tool.name': known,
      ...(caller === undefined ? {} : { 'handrail.caller': auditText(this.#redactor, caller) }),
    };
    this.#calls.add(1, { ...labels, 'handrail.decision': decision, 'handrail.status': detail.status });
    if (decision === 'deny') this.#denials.add(1, labels);
    if (redactions > 0) this.#masks.add(redactions, labels);
    this.#duration.record(durationMs / MS_PER_S, { ...labels, 'handrail.status': detail.status });
  }

  #failed(span: Span, type: string): void {
    span.setAttribute('error.type', type);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
  }
}
