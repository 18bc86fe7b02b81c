import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Fastify from 'fastify'
import transactionBackEnd, { fastifyOptions, loadConfig } from '../../index.ts'
import * as shown from '../../packages/playground/code/client-code.ts'
import { build, MAINNET, STRICT, startNetwork, testEnv } from '../helpers/app.ts'
import { caller } from '../helpers/callers.ts'
import { json, serve } from '../helpers/local-server.ts'
import { patientFetch } from '../helpers/patient-fetch.ts'
import { evaluating, root, run } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { TRANSFER } from '../helpers/transfer.ts'
import { type OpenApiDocument, operationsOf } from '../openapi/document.ts'

test('the pages for developers', async t => {
  const devnet = await startNetwork(t)
  const app = await build(t, { NODE_ENV: 'development' }, { devnet })

  // test/long/browser shows the rest in the page.
  t.test('the playground offers no faults outside of a development network', async t => {
    const other = await serve(t, (_request, response) => void response.writeHead(501).end('{}'))
    const elsewhere = { NODE_ENV: 'development', SERVICE_BACKEND_NODE_PROVIDER_QUERY: other.url }
    const request = { method: 'POST', url: '/playground/devnet', payload: { feeId: 'none' } } as const
    t.same((await app.inject(request)).json().faults, ['lie'])
    const server = await build(t, elsewhere, { devnet })
    t.same((await server.inject(request)).json().faults, [])
  })

  t.test('the playground passes on what a node of an EVM chain returns, without secrets', async t => {
    const node = await serve(t, ({ url }, response) => json(response, { error: url }))
    const SERVICE_EVM_RPC = `{"ETH":"${node.url}/a-secret-path"}`
    const server = await build(t, { NODE_ENV: 'development', SERVICE_EVM_RPC }, { devnet })
    const request = { method: 'POST', url: '/playground/rpc/ETH', payload: {} } as const
    t.same((await server.inject(request)).json(), { error: '[secret]' })
  })

  t.test('all links work behind a proxy, and in a host with a prefix', async t => {
    const own = await app.listen({ host: '127.0.0.1', port: 0 })
    const proxy = await serve(t, async ({ url }, response) => {
      const { status, headers, body } = await fetch(own + url.slice('/api'.length), { redirect: 'manual' })
      for (const name of ['content-type', 'location', 'cache-control'])
        if (headers.has(name)) response.setHeader(name, `${headers.get(name)}`)
      response.writeHead(status).end(body && Buffer.from(await new Response(body).arrayBuffer()))
    })
    const configuration = loadConfig(testEnv(t, devnet, { NODE_ENV: 'development', LOG_LEVEL: 'silent' }))
    const host = Fastify(fastifyOptions(configuration))
    t.teardown(() => host.close())
    host.register(transactionBackEnd, { configuration, prefix: '/payments' })
    const hostUrl = await host.listen({ host: '127.0.0.1', port: 0 })

    for (const base of [own, `${proxy.url}/api`, `${hostUrl}/payments`]) {
      for (const path of ['/docs', '/docs/', '/playground', '/playground/', '/']) {
        const page = await patientFetch(base + path)
        t.match(page.headers.get('content-type'), /^text\/html/, base + path)
        const caches = (of: Response, control: string) =>
          !page.url.includes('/playground') || of.headers.get('cache-control') === control
        t.ok(caches(page, 'no-store'), base + path)
        const addresses = [...(await page.text()).matchAll(/(?:href|src)="([^"]*)"/g)]
        t.ok(addresses.length > 2)
        for (const [, address = ''] of addresses) {
          const { href } = new URL(address, page.url)
          const file = await patientFetch(href)
          t.equal(file.status, 200, href)
          t.match(href, base)
          t.ok(caches(file, 'public, max-age=31536000, immutable'), href)
        }
      }
      const { servers, ...document } = JSON.parse(await (await patientFetch(`${base}/docs/json`)).text())
      t.equal(new URL(servers[0].url, `${base}/docs/json`).href, `${base}/`)
      t.strictSame({ ...document, servers }, { ...app.swagger(), servers, security: [] })
    }
  })

  t.test('/docs shows a lock icon only on operations that use a key', async t => {
    const own = ['listSubmissions', 'redeliverWebhooks']
    const locks = ['createLockIntent', 'recordLock', 'reclaimLock']
    const submits = ['submitTransfer', 'submitSwap', ...locks, 'getCompliance']
    const { variables } = caller(t)
    for (const [access, optional, required] of [
      ['public', [], own],
      ['both', submits, own],
      ['keys', [], [...submits, ...own]]
    ] as const) {
      const settings = { ...variables, NODE_ENV: 'development', SERVICE_ACCESS: access }
      const server = await build(t, settings, { devnet })
      const document: OpenApiDocument = (await server.inject('/docs/json')).json()
      const locked = (keys: object[]) =>
        operationsOf(document)
          .filter(({ security = document.security }) => isDeepStrictEqual(security, keys))
          .map(({ operationId }) => operationId)
      t.same(locked([{}, { apiKey: [] }]).sort(), [...optional].sort(), access)
      t.same(locked([{ apiKey: [] }]).sort(), [...required].sort(), access)
    }
  })

  t.test('production and test serve neither page, mainnet neither playground nor metrics', async t => {
    const playground = ['', '/', '/index.html', '/webhooks', '/rpc'].map(path => `/playground${path}`)
    const docs = ['/docs', '/docs/json', '/docs/static/index.html']
    for (const [variables, paths] of [
      [{ NODE_ENV: 'production' }, [...playground, ...docs]],
      [{ NODE_ENV: 'test' }, [...playground, ...docs]],
      [{ ...MAINNET, NODE_ENV: 'development' }, [...playground, '/metrics']]
    ] as const) {
      const app = await build(t, variables, { devnet })
      for (const url of ['/', ...paths]) {
        const error = { statusCode: 404, code: 'ROUTE_NOT_FOUND' }
        t.match((await app.inject(url)).json(), error, `${url} in ${variables.NODE_ENV}`)
      }
    }
  })
})

test('the code shown in the playground makes a transfer', async t => {
  // Without a node of the origin chain nothing is approved, and the code creates a key.
  for (const evm of [[], ['ETH', 'POL']] as const) {
    const devnet = await startNetwork(t, { evm })
    const app = await build(t, STRICT, { devnet })
    const side = 'feeFromTarget'
    const steps = [
      shown.setUpCode(await app.listen({ host: '127.0.0.1', port: 0 })),
      shown.chainsCode('POL', 'ETH'),
      shown.quoteCode({ ...TRANSFER, amount: '100' }, true),
      shown.approvalCode(side, 'EVM', devnet.evm?.chain('ETH')?.url),
      shown.submitCode('EVM'),
      shown.watchCode(false)
    ]
    const code = steps.join('\n\n')
    const program = code.replaceAll('transaction-back-end-client', join(root, 'packages/client/index.ts'))
    const env = { ...process.env, ...(devnet.evm && { USER_KEY: devnet.evm.user.privateKey }) }
    t.match(await run(process.execPath, evaluating(program), { env }), /\bCompleted .*\n$/, evm.join())
  }
})
