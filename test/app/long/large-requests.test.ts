import Fastify from 'fastify'
import { compileValidator, serverOptions } from '../../../config/fastify-options.ts'
import { build } from '../../helpers/app.ts'
import { caller } from '../../helpers/callers.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { documentOf, operationsOf } from '../../openapi/document.ts'
import { exampleRequest } from '../../openapi/example.ts'

const LIMIT = 64 * 1024
const MOST_ROUNDS = 10
const MOST_TRIES = 4
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
    `{${Array.from({ length: Math.floor(length / 8) - 1 }, (_, index) => `"${(index + 1296).toString(36)}":1`)}}`
} satisfies Record<string, Kind>

/** Makes the example of each operation invalid, so that it is rejected after its validation. */
const BROKEN: Record<string, object> = {
  submitTransfer: { originChain: 'NOWHERE' },
  submitSwap: { originChain: 'NOWHERE' },
  createLockIntent: { senderAddress: 'none' },
  reclaimLock: { senderAddress: 'none' },
  recordLock: { lockId: 'none' },
  getKycStatus: { uuid: 'none' },
  redeliverWebhooks: {}
}

/** Adds properties to an object in JSON: one with the value, and the value's own where it is an object. */
function withValue(body: object, kind: Kind, most: number, name: string): string {
  const text = JSON.stringify(body).slice(0, -1)
  const start = `${text === '{' ? text : `${text},`}`
  const value = kind(most - start.length - name.length - 5)
  return name === '' ? `${start}${value.slice(1)}` : `${start}"${name}":${value}}`
}

interface Request {
  url: string
  headers: Record<string, string>
  body?: string
}

/** Headers that the service reads, with a part of a long value. Node's limit for all headers is 16 KiB. */
const HEADERS = {
  authorization: 'Bearer ',
  'x-forwarded-for': ', ::1',
  'x-request-id': 'a',
  'if-none-match': '"a",',
  'accept-encoding': 'br;q=0,',
  'sec-fetch-site': 'cross-site',
  origin: 'https://',
  traceparent: '00-'
}

/** Starts the service, and a server that only parses, validates and serializes the same requests. */
async function servers(t: Test) {
  const { variables, headers: key } = caller(t)
  const app = await build(t, { ...variables, SERVICE_ACCESS: 'both', TRUST_PROXY: 'loopback' })
  const operations = operationsOf(documentOf(app)).filter(({ method }) => method === 'POST')
  const bare = Fastify(serverOptions(app.config))
  bare.setValidatorCompiler(compileValidator)
  bare.get('/chains', async () => ({}))
  for (const { path, requestBody } of operations) {
    const body = requestBody?.content['application/json']?.schema
    bare.post<{ Body: { options?: string } }>(path, { schema: { body } }, async ({ body }) => {
      const options = body.options === undefined ? undefined : JSON.parse(body.options)
      // The chain gets the options serialized again (interface 6.14), unless they are nested too deep for that.
      if (options?.x?.[0]?.[0] === undefined) JSON.stringify(options)
      return {}
    })
  }
  t.teardown(() => bare.close())
  const own = await app.listen({ host: '127.0.0.1', port: 0 })
  const other = await bare.listen({ host: '127.0.0.1', port: 0 })

  async function roundOf(server: string, { url, headers, body }: Request): Promise<number> {
    const before = process.cpuUsage()
    for (let sent = 0; sent < PER_ROUND; sent += 1) {
      const request = { headers, ...(body !== undefined && { method: 'POST', body }) }
      const response = await fetch(`${server}${url}`, request)
      const text = await response.text()
      if ([431, 500].includes(response.status)) throw new Error(`${response.status} for ${url}: ${text}`)
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  }

  /**
   * Compares the CPU time of the cheapest rounds. What a small request costs does not count. Starts again after a while:
   * on a busy machine, a quiet moment can make one of the servers cheaper for good.
   */
  async function compare(what: string, small: Request, large: Request, tries = MOST_TRIES): Promise<boolean> {
    const cheapest = { small: Infinity, large: Infinity, bare: Infinity }
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      cheapest.bare = Math.min(cheapest.bare, await roundOf(other, large))
      cheapest.small = Math.min(cheapest.small, await roundOf(own, small))
      cheapest.large = Math.min(cheapest.large, await roundOf(own, large))
      if (round > 0 && cheapest.large <= 2 * cheapest.bare + cheapest.small) return t.pass(what)
    }
    return tries > 1 ? compare(what, small, large, tries - 1) : t.fail(what)
  }
  return { operations, key, compare }
}

test('a large request costs at most twice what it costs to parse and validate it', async t => {
  const { operations, key, compare } = await servers(t)
  for (const operation of operations) {
    const { operationId, path: url } = operation
    const body = { ...JSON.parse(exampleRequest(operation).payload ?? ''), ...BROKEN[operationId] }
    const headers = { ...key, 'content-type': 'application/json' }
    const request = (body: string): Request => ({ url, headers, body })
    const small = request(JSON.stringify(body))
    const large = async (kind: Kind, name: string) => {
      const text = withValue(body, kind, LIMIT, name)
      t.ok(text.length > 15_000 && text.length <= LIMIT)
      await compare(`${name} of ${url}`, small, request(text))
    }
    const inOptions = async (kind: Kind, name: string) => {
      const options = withValue(JSON.parse(body.options), kind, 16_384, name)
      await compare(`${name} in options of ${url}`, small, request(JSON.stringify({ ...body, options })))
    }
    for (const kind of Object.values(KINDS)) {
      await large(kind, 'unknown')
      if (!('options' in body)) continue
      await large(kind, 'decimals')
      await inOptions(kind, 'x')
    }
    await large(KINDS.names, '')
    if ('options' in body) await inOptions(KINDS.names, '')
  }
  // Paths and queries have patterns, which test/app/patterns.test.ts checks.
  const small = { url: '/chains', headers: {} }
  for (const [name, part] of Object.entries(HEADERS)) {
    const headers = { [name]: part.repeat(15_000 / part.length) }
    await compare(`the header ${name}`, small, { ...small, headers })
  }
})
