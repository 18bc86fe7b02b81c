import { timingSafeEqual } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { anything } from '../../services/schema-check.ts'
import { scrubAll } from '../../services/secrets.ts'
import { createUpstream } from '../../services/upstream/index.ts'
import { signedHeaders } from '../../services/webhooks/signature.ts'

const contentTypes = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml']
])

/** Allows the page to load files from, and connect to, only this server. The page has no inline scripts or styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'"
].join('; ')

interface ReceivedWebhook {
  id: string
  receivedAt: string
  event: unknown
}

const MAX_WEBHOOKS = 100

type Files = ReadonlyMap<string, Uint8Array>

/**
 * Serves the page at /playground, in development only and never on mainnet (interface 15.12). Reads or bundles its
 * files on the first request.
 */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { webhooks, upstreams } }) => {
    const { NODE_ENV, SERVICE_ENVIRONMENT } = app.config
    if (NODE_ENV !== 'development' || SERVICE_ENVIRONMENT === 'mainnet') return
    let loading: Promise<Files> | undefined
    const load = () => {
      loading ??= loadFiles()
      return loading
    }

    // The page's paths are relative, because the service might have a prefix.
    app.get('/playground', { schema: { hide: true } }, async ({ url }, reply) => {
      if (/\/($|\?)/.test(url)) return reply.redirect('../playground')
      const page = (await load()).get('index.html')
      return reply
        .type(typeOf('index.html'))
        .header('content-security-policy', contentSecurityPolicy)
        .send(page)
    })

    app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('playground'))

    app.get<{ Params: { file: string } }>(
      '/playground/:file',
      { schema: { hide: true } },
      async ({ params }, reply) => {
        const content = (await load()).get(params.file)
        if (content === undefined)
          throw new ServiceError('ROUTE_NOT_FOUND', 'The playground has no such file')
        return reply
          .type(typeOf(params.file))
          .headers({ 'cache-control': 'public, max-age=31536000, immutable' })
          .send(content)
      }
    )

    // The page reads balances and sends approvals here, because it may connect to no other server.
    const nodes = new Map(
      Object.entries(upstreams.evmRpc).map(([chain, baseUrl]) => [
        chain,
        createUpstream({ name: `RPC of ${chain}`, baseUrl })
      ])
    )
    app.addHook('onClose', () => Promise.all([...nodes.values()].map(node => node.close())))
    app.get('/playground/rpc', { schema: { hide: true } }, () => [...nodes.keys()])
    app.post<{ Params: { chain: string } }>('/playground/rpc/:chain', { schema: { hide: true } }, request => {
      const node = nodes.get(request.params.chain)
      if (node === undefined) throw new ServiceError('ROUTE_NOT_FOUND', 'SERVICE_EVM_RPC has no such chain')
      return node.post('', request.body, anything).then(scrubAll)
    })

    // Pays locks of bitcoins, on the development network only.
    if (upstreams.bitcoin !== undefined) {
      const api = createUpstream({ name: 'Bitcoin faucet', baseUrl: upstreams.bitcoin })
      app.addHook('onClose', api.close)
      app.post('/playground/faucet', { schema: { hide: true } }, ({ body }) =>
        api.post('/faucet', body, anything).then(scrubAll)
      )
    }

    // Injects faults into the development network and counts its executions. Other networks have no such route.
    const network = createUpstream({ name: 'Development network', baseUrl: upstreams.chainApi })
    app.addHook('onClose', network.close)
    app.post('/playground/devnet', { schema: { hide: true } }, ({ body }) =>
      network
        .post('/devnet', body, anything)
        .then(scrubAll)
        .catch(() => ({ faults: [] }))
    )

    const received: ReceivedWebhook[] = []
    const keys = webhooks?.url.endsWith(WEBHOOKS) ? webhooks.keys : undefined
    app.get(WEBHOOKS, { schema: { hide: true } }, () => ({
      isReceiving: keys !== undefined,
      webhooks: received
    }))

    // The signature covers the raw body.
    app.register(async scope => {
      scope.removeContentTypeParser('application/json')
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body)
      )
      scope.post<{ Body: string }>(WEBHOOKS, { schema: { hide: true } }, ({ headers, body }, reply) => {
        const id = String(headers['webhook-id'])
        const signed = signedHeaders(keys ?? [], id, Number(headers['webhook-timestamp']), body)
        if (keys === undefined || !isSame(signed['webhook-signature'], headers['webhook-signature']))
          throw new ServiceError('BAD_REQUEST', 'The webhook signature is invalid')
        if (!received.some(each => each.id === id))
          received.push({ id, receivedAt: new Date().toISOString(), event: JSON.parse(body) })
        if (received.length > MAX_WEBHOOKS) received.shift()
        return reply.code(204).send()
      })
    })
  },
  { name: 'playground', dependencies: ['config', 'helmet'] }
)

const WEBHOOKS = '/playground/webhooks'

function isSame(expected: string, given: unknown): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(String(given))]
  return a.length === b.length && timingSafeEqual(a, b)
}

const typeOf = (file: string) => contentTypes.get(extname(file)) ?? 'application/octet-stream'

async function loadFiles(): Promise<Files> {
  if (import.meta.filename.endsWith('.ts')) return bundleFiles()
  const folder = join(import.meta.dirname, 'playground')
  const names = await readdir(folder)
  return new Map(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, name))] as const))
  )
}

async function bundleFiles(): Promise<Files> {
  // Import by variable, to keep the bundler out of the server's bundle.
  const path = '../../scripts/bundle-playground.ts'
  const { bundlePlayground }: typeof import('../../scripts/bundle-playground.ts') = await import(path)
  return (await bundlePlayground()).files
}
