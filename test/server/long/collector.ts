import type { ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { type SeenRequest, serve } from '../../helpers/local-server.ts'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  attributes: Record<string, unknown>
  status: { code: number; message?: string }
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Starts an OpenTelemetry collector that accepts JSON over HTTP. @param answer sends a response instead of the 200 */
export async function startCollector(
  t: Test,
  answer: (request: SeenRequest, response: ServerResponse) => void = (_request, response) => response.end()
) {
  const server = await serve(t, answer)
  const resources = () =>
    server.seen
      .filter(({ method, url }) => method === 'POST' && url === '/v1/traces')
      .flatMap(({ body }) => JSON.parse(body).resourceSpans)
  return {
    ...server,
    spans: (): ReceivedSpan[] =>
      resources().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }: { spans: (ReceivedSpan & { attributes: Attribute[] })[] }) =>
          spans.map(span => ({ ...span, attributes: valuesOf(span.attributes) }))
        )
      ),
    /** The attributes of the program that sent the spans. */
    resource: (): Record<string, unknown> => valuesOf(resources()[0]?.resource.attributes ?? [])
  }
}
