import Fastify, { type FastifyInstance } from 'fastify'
import { compileValidator, serverOptions } from '../../config/fastify-options.ts'
import { KycBody } from '../../schemas/kyc.ts'
import { SwapBody } from '../../schemas/swap.ts'
import { TransferBody } from '../../schemas/transfer.ts'
import { RedeliverRequest } from '../../schemas/webhooks.ts'
import { build } from '../helpers/app.ts'
import { caller } from '../helpers/callers.ts'
import { test } from '../helpers/tap.ts'
import { swapBody, TRANSFER } from '../helpers/transfer-flow.ts'

const LIMIT = 64 * 1024
const MOST_ROUNDS = 30
const PER_ROUND = 5

/** Values that take JSON.parse, or code that looks at each member, the most work. */
type Kind = (length: number) => string
const KINDS = {
  numbers: length => `[${Array(Math.floor((length - 2) / 2)).fill(1)}]`,
  'long numbers': length => `[${Array(Math.floor((length - 2) / 20)).fill('1234567890123456.89')}]`,
  arrays: length => `[${Array(Math.floor((length - 2) / 3)).fill('[]')}]`,
  depth: length => '['.repeat(length / 2) + ']'.repeat(length / 2),
  escapes: length => `"${'\\n'.repeat(length / 2 - 1)}"`,
  names: length =>
    `{${Array.from({ length: Math.floor(length / 10) - 1 }, (_, index) => `"${index + 10_000}":1`)}}`
} satisfies Record<string, Kind>

const KNOWN = { feeId: 'f', signature: 's' }
const swap = { ...swapBody(), originChain: 'NOWHERE' }
const transfer = { ...TRANSFER, amount: '1', fee: '1', decimals: 6, originChain: 'NOWHERE' }
const ROUTES = {
  '/submit': { schema: TransferBody, body: { ...transfer, options: JSON.stringify(KNOWN) } },
  '/submit/transfer': { schema: TransferBody, body: { ...transfer, options: JSON.stringify(KNOWN) } },
  '/submit/swap': { schema: SwapBody, body: swap },
  '/kyc': { schema: KycBody, body: { uuid: 'none' } },
  '/webhooks/redeliver': { schema: RedeliverRequest, body: {} }
}

/** Adds properties to an object in JSON: one with the value, and the value's own where it is an object. */
function withValue(body: object, kind: Kind, most: number, name: string): string {
  const text = JSON.stringify(body).slice(0, -1)
  const start = `${text === '{' ? text : `${text},`}`
  const value = kind(most - start.length - name.length - 5)
  return name === '' ? `${start}${value.slice(1)}` : `${start}"${name}":${value}}`
}

/** A server that only parses and validates, and parses the options. */
async function bareServer(like: FastifyInstance): Promise<FastifyInstance> {
  const bare = Fastify(serverOptions(like.config))
  bare.setValidatorCompiler(compileValidator)
  for (const [url, { schema }] of Object.entries(ROUTES)) {
    bare.post<{ Body: { options?: string } }>(url, { schema: { body: schema } }, async ({ body }, reply) => {
      if (body.options !== undefined) JSON.parse(body.options)
      return reply.code(400).send({})
    })
  }
  return bare
}

test('a large body costs at most twice what it costs to parse and validate it', async t => {
  const { variables, headers } = caller(t)
  const app = await build(t, variables)
  const bare = await bareServer(app)
  t.teardown(() => bare.close())
  const own = await app.listen({ host: '127.0.0.1', port: 0 })
  const other = await bare.listen({ host: '127.0.0.1', port: 0 })

  async function roundOf(server: string, url: string, body: string): Promise<number> {
    const before = process.cpuUsage()
    for (let sent = 0; sent < PER_ROUND; sent += 1) {
      const response = await fetch(`${server}${url}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body
      })
      const { code } = Object(await response.json())
      if (response.status === 500) throw new Error(`${code} for ${url}`)
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  }

  /** Compares the CPU time of the cheapest rounds. What a small request costs does not count. */
  async function compare(what: string, url: string, small: string, large: string): Promise<void> {
    t.ok(large.length > 15_000 && large.length <= LIMIT, what)
    const cheapest = { small: Infinity, large: Infinity, bare: Infinity }
    const isCheap = () => cheapest.large <= 2 * cheapest.bare + cheapest.small
    for (let round = 0; round < 2 || (round < MOST_ROUNDS && !isCheap()); round += 1) {
      cheapest.bare = Math.min(cheapest.bare, await roundOf(other, url, large))
      cheapest.small = Math.min(cheapest.small, await roundOf(own, url, small))
      cheapest.large = Math.min(cheapest.large, await roundOf(own, url, large))
    }
    t.ok(isCheap(), `${what}: ${JSON.stringify(cheapest)}`)
  }

  for (const [url, { body }] of Object.entries(ROUTES)) {
    const small = JSON.stringify(body)
    const large = (kind: Kind, name: string) =>
      compare(`${name} of ${url}`, url, small, withValue(body, kind, LIMIT, name))
    for (const kind of Object.values(KINDS)) {
      await large(kind, 'unknown')
      if (!('options' in body)) continue
      await large(kind, 'decimals')
      const options = withValue(KNOWN, kind, 16_384, 'x')
      await compare(`options of ${url}`, url, small, JSON.stringify({ ...body, options }))
    }
    await large(KINDS.names, '')
  }
})
