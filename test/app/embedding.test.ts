import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor
} from '@opentelemetry/sdk-trace-base'
import Fastify, { type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import transactionBackEnd, {
  type CustomTransValidation,
  fastifyOptions,
  loadConfig,
  type Options
} from '../../index.ts'
import { startNetwork, testEnv } from '../helpers/app.ts'
import { patientPost } from '../helpers/patient-fetch.ts'
import { type Test, test } from '../helpers/tap.ts'
import { cardBody, submit } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

/** Creates the Fastify instance of a host program. It has a route of its own, and the service is not yet registered. */
async function embed(t: Test, own: FastifyServerOptions = {}) {
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { LOG_LEVEL: 'silent' })
  const configuration = loadConfig(env)
  const server = Fastify({ ...fastifyOptions(configuration), ...own })
  t.teardown(() => server.close())
  server.get('/shop', async () => 'shop')
  return { configuration, server, devnet }
}

test('a host cannot register the service with wrong options or a path in use', async t => {
  const { configuration, server } = await embed(t, { requestTimeout: 1_000_000 })
  server.register(transactionBackEnd, { configuration })
  const message =
    /must be created with fastifyOptions\(configuration\): requestTimeout must be 25000, not 1000000/
  await t.rejects(async () => server.ready(), { message })

  const taken = await embed(t)
  taken.server.get('/chains', async () => 'chains of the shop')
  taken.server.register(transactionBackEnd, { configuration: taken.configuration })
  await t.rejects(async () => taken.server.ready(), { message: /already declared for route '\/chains'/ })

  const other = await embed(t)
  // The types forbid unknown options, but plain JavaScript can pass them.
  const given = { configuration, customTransvalidation: () => 'no' }
  other.server.register(transactionBackEnd, given as Options)
  await t.rejects(async () => other.server.ready(), {
    name: 'TypeError',
    message: /^Unknown option customTransvalidation; the options are /
  })

  const without = await embed(t)
  without.server.register(transactionBackEnd, {} as Options)
  await t.rejects(async () => without.server.ready(), {
    message: /configuration must be the result of loadConfig/
  })
})

/** Registers what a host program's OpenTelemetry SDK would register. */
function registerTracing(t: Test, processor: SpanProcessor) {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  t.teardown(() => {
    trace.disable()
    context.disable()
  })
}

test('the service’s spans are children of the host program’s span', async t => {
  const exporter = new InMemorySpanExporter()
  registerTracing(t, new SimpleSpanProcessor(exporter))
  const { configuration, server } = await embed(t)
  let around: string | undefined
  const looking: CustomTransValidation = () => {
    around = trace.getActiveSpan()?.spanContext().traceId
    return ''
  }
  server.register(transactionBackEnd, { configuration, prefix: '/payments', customTransValidation: looking })
  await server.ready()
  await server.inject('/shop')
  t.strictSame(exporter.getFinishedSpans(), [], 'the host program’s routes are not traced')

  const own = trace.getTracer('shop').startSpan('checkout')
  await context.with(trace.setSpan(ROOT_CONTEXT, own), async () => {
    const answer = await submit(server, cardBody(), { path: '/payments/submit' })
    t.equal(answer.statusCode, 200)
  })
  const spans = await until(() => {
    const finished = exporter.getFinishedSpans()
    return finished.length >= 2 && finished
  }, 'the spans have ended')
  t.strictSame(spans.map(({ name }) => name).sort(), ['submission', 'transaction'])
  const { traceId, spanId } = own.spanContext()
  for (const span of spans) t.equal(span.spanContext().traceId, traceId, span.name)
  t.equal(spans.find(({ name }) => name === 'submission')?.parentSpanContext?.spanId, spanId)
  t.equal(around, traceId, 'the validation runs within the request’s trace')
})

test('closing the host program’s server waits for the results of submissions', async t => {
  const { configuration, server } = await embed(t)
  let closing: Promise<void> | undefined
  const customTransValidation = () => {
    closing = server.close()
    return ''
  }
  server.register(transactionBackEnd, { configuration, prefix: '/payments', customTransValidation })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const response = await patientPost(`${url}/payments/submit`, cardBody())
  t.match(await response.json(), { txId: Number })
  t.equal(response.headers.get('connection'), 'close')
  await closing
})

const noCards: CustomTransValidation = ({ submission: { origin } }) =>
  origin.chain === 'CC' ? { code: 'NO_CARDS', message: `Not ${origin.amount.text} by card` } : ''
const refused = {
  statusCode: 400,
  code: 'CUSTOM_VALIDATION',
  customCode: 'NO_CARDS',
  message: 'Not 100.5 by card'
}

test('a host passes its validation as an option, or as a decorator at any time', async t => {
  for (const way of ['option', 'before', 'after']) {
    const { configuration, server } = await embed(t)
    if (way === 'before') server.decorate('customTransValidation', noCards)
    const option = way === 'option' && { customTransValidation: noCards }
    server.register(transactionBackEnd, { configuration, ...option })
    if (way === 'after') server.register(fp(async app => void app.decorate('customTransValidation', noCards)))
    t.match((await submit(server, cardBody())).json(), refused, way)
  }

  const wrong = await embed(t)
  wrong.server.decorate('customTransValidation', JSON.parse('"no cards"'))
  wrong.server.register(transactionBackEnd, { configuration: wrong.configuration })
  await t.rejects(async () => wrong.server.ready(), { message: 'customTransValidation is not a function' })

  const twice = await embed(t)
  twice.server.decorate('customTransValidation', noCards)
  const { configuration } = twice
  twice.server.register(transactionBackEnd, { configuration, customTransValidation: noCards })
  await t.rejects(async () => twice.server.ready(), { message: /^There are two validations/ })
})
