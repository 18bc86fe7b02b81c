import type { ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { type LocalServer, type SeenRequest, serve } from '../../helpers/local-server.ts'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  attributes: Record<string, unknown>
}

export interface Collector extends LocalServer {
  spans(): ReceivedSpan[]
  /** Returns the resource attributes. They describe the program that sent the spans. */
  resource(): Record<string, unknown>
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
): Promise<Collector> {
  const server = await serve(t, answer)
  const resources = () =>
    server.seen
      .filter(({ method, url }) => method === 'POST' && url === '/v1/traces')
      .flatMap(({ body }) => JSON.parse(body).resourceSpans)
  return {
    ...server,
    spans: () =>
      resources().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }: { spans: (ReceivedSpan & { attributes: Attribute[] })[] }) =>
          spans.map(span => ({ ...span, attributes: valuesOf(span.attributes) }))
        )
      ),
    resource: () => valuesOf(resources()[0]?.resource.attributes ?? [])
  }
}
