import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import transactionBackEnd, {
  type CustomTransValidation,
  fastifyOptions,
  loadConfig,
  type Options
} from '../../index.ts'
import { startNetwork, testEnv } from '../helpers/app.ts'
import { t as root, type Test, test } from '../helpers/tap.ts'
import { cardBody, submit } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

const devnet = await startNetwork(root)

/** Creates the Fastify instance of a host program, and a function that registers the service in it. */
function hostOn(t: Test, network = devnet, own: FastifyServerOptions = {}) {
  const configuration = loadConfig(testEnv(t, network, { LOG_LEVEL: 'silent' }))
  const server = Fastify({ ...fastifyOptions(configuration), ...own })
  t.teardown(() => server.close())
  server.get('/shop', async () => 'shop')
  // The types forbid wrong options, but plain JavaScript can pass them.
  const register = (options: object = {}) =>
    void server.register(transactionBackEnd, { configuration, ...options } as Options)
  return { server, register }
}

const noCards: CustomTransValidation = ({ submission: { origin } }) =>
  origin.chain === 'CC' ? { code: 'NO_CARDS', message: `Not ${origin.amount.text} by card` } : ''

type Prepare = (server: FastifyInstance) => unknown
const withChains: Prepare = server => server.get('/chains', async () => 'the shop’s')
const decorated =
  (validation: CustomTransValidation): Prepare =>
  server =>
    server.decorate('customTransValidation', validation)

/** The reason reported to a host that passes wrong options to the service, or that is prepared wrongly. */
const WRONG: [reason: RegExp, options: object, prepare?: Prepare, own?: FastifyServerOptions][] = [
  [/already declared for route '\/chains'/, {}, withChains],
  [/^Unknown option customTransvalidation; the options are /, { customTransvalidation: noCards }],
  [/configuration must be the result of loadConfig/, { configuration: undefined }],
  [/^customTransValidation is not a function$/, {}, decorated(JSON.parse('"no cards"'))],
  [/^There are two validations/, { customTransValidation: noCards }, decorated(noCards)],
  [
    /fastifyOptions\(configuration\): requestTimeout must be 25000, not 9/,
    {},
    () => {},
    { requestTimeout: 9 }
  ]
]

test('a host cannot register the service wrongly', async t => {
  for (const [message, options, prepare = () => {}, own] of WRONG) {
    const { server, register } = hostOn(t, devnet, own)
    prepare(server)
    register(options)
    await t.rejects(async () => server.ready(), { message })
  }
})

test('a host passes its validation as an option, or as a decorator at any time', async t => {
  const message = 'Not 100.5 by card'
  const refused = { statusCode: 400, code: 'CUSTOM_VALIDATION', customCode: 'NO_CARDS', message }
  for (const way of ['option', 'before', 'after']) {
    const { server, register } = hostOn(t)
    if (way === 'before') server.decorate('customTransValidation', noCards)
    register(way === 'option' ? { customTransValidation: noCards } : {})
    if (way === 'after') server.register(fp(async app => void app.decorate('customTransValidation', noCards)))
    t.match((await submit(server, cardBody())).json(), refused, way)
  }
})

test('the service’s spans are children of the host program’s span', async t => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  t.teardown(() => {
    trace.disable()
    context.disable()
  })
  const { server, register } = hostOn(t, await startNetwork(t))
  let around: string | undefined
  const looking: CustomTransValidation = () => {
    around = trace.getActiveSpan()?.spanContext().traceId
    return ''
  }
  register({ prefix: '/payments', customTransValidation: looking })
  await server.ready()
  await server.inject('/shop')
  t.strictSame(exporter.getFinishedSpans(), [], 'the host program’s routes are not traced')

  const own = trace.getTracer('shop').startSpan('checkout')
  await context.with(trace.setSpan(ROOT_CONTEXT, own), async () => {
    t.equal((await submit(server, cardBody(), { path: '/payments/submit' })).statusCode, 200)
  })
  await until(() => exporter.getFinishedSpans().length >= 2, 'the spans have ended')
  const spans = exporter.getFinishedSpans()
  t.strictSame(spans.map(({ name }) => name).sort(), ['submission', 'transaction'])
  const { traceId, spanId } = own.spanContext()
  for (const span of spans) t.equal(span.spanContext().traceId, traceId, span.name)
  t.equal(spans.find(({ name }) => name === 'submission')?.parentSpanContext?.spanId, spanId)
  t.equal(around, traceId, 'the validation runs within the request’s trace')
})
