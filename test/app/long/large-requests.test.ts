import Fastify from 'fastify'
import { compileValidator, serverOptions } from '../../../config/fastify-options.ts'
import { build } from '../../helpers/app.ts'
import { caller } from '../../helpers/callers.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { documentOf, type NamedOperation, operationsOf, type Schema } from '../../openapi/document.ts'
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
  /** The key of a caller by default. */
  headers?: Record<string, string>
  body?: string
}

/** Length of a long path, query or header. Node's limit for all of them is 16 KiB. */
const HEAD = 15_000
const NAMES = Array.from({ length: HEAD / 6 }, (_, index) => `a${index + 1000}`)

/** Headers that the service reads, with a part of a long value. */
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

/** The schemas of an operation's request, as a route declares them. */
function schemaOf({ parameters = [], requestBody }: NamedOperation) {
  const part = (place: 'query' | 'path' | 'header'): Schema => {
    const own = parameters.filter(parameter => parameter.in === place)
    return { type: 'object', properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])) }
  }
  const body = requestBody?.content['application/json']?.schema
  const parts = { querystring: part('query'), params: part('path'), headers: part('header') }
  return body === undefined ? parts : { ...parts, body }
}

/** Starts the service, and a server that only parses, validates and serializes the same requests. */
async function servers(t: Test) {
  const { variables, headers: key } = caller(t)
  const app = await build(t, { ...variables, SERVICE_ACCESS: 'both', TRUST_PROXY: 'loopback' })
  const operations = operationsOf(documentOf(app))
  const bare = Fastify(serverOptions(app.config))
  bare.setValidatorCompiler(compileValidator)
  bare.server.maxHeadersCount = 0
  for (const operation of operations) {
    const { method, path } = operation
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    bare.route<{ Body: { options?: string } | undefined }>({
      method,
      url,
      schema: schemaOf(operation),
      async handler({ body }) {
        const options = body?.options === undefined ? undefined : JSON.parse(body.options)
        // The chain gets the options serialized again (interface 6.14), unless they are nested too deep for that.
        if (options?.x?.[0]?.[0] === undefined) JSON.stringify(options)
        return {}
      }
    })
  }
  t.teardown(() => bare.close())
  const own = await app.listen({ host: '127.0.0.1', port: 0 })
  const other = await bare.listen({ host: '127.0.0.1', port: 0 })

  async function roundOf(server: string, { url, headers = key, body }: Request): Promise<number> {
    const before = process.cpuUsage()
    for (let sent = 0; sent < PER_ROUND; sent += 1) {
      const response = await fetch(`${server}${url}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body })
      })
      const text = await response.text()
      if ([431, 500].includes(response.status)) throw new Error(`${response.status} for ${url}: ${text}`)
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  }

  /** Compares the CPU time of the cheapest rounds. What a small request costs does not count. */
  async function isCheap(small: Request, large: Request) {
    const cheapest = { small: Infinity, large: Infinity, bare: Infinity }
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      cheapest.bare = Math.min(cheapest.bare, await roundOf(other, large))
      cheapest.small = Math.min(cheapest.small, await roundOf(own, small))
      cheapest.large = Math.min(cheapest.large, await roundOf(own, large))
      if (round > 0 && cheapest.large <= 2 * cheapest.bare + cheapest.small) return true
    }
    return false
  }

  /** Starts again after a while: on a busy machine, a quiet moment can make one of the servers cheaper for good. */
  async function compare(what: string, small: Request, large: Request): Promise<void> {
    let cheap = false
    for (let tries = 0; tries < MOST_TRIES && !cheap; tries += 1) cheap = await isCheap(small, large)
    t.ok(cheap, what)
  }
  return { operations, key, compare }
}

test('a large request costs at most twice what it costs to parse and validate it', async t => {
  const { operations, key, compare } = await servers(t)

  t.test('a large body costs at most twice its parsing and validation', async t => {
    for (const operation of operations.filter(({ method }) => method === 'POST')) {
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
  })

  t.test('a large query, path or header costs no more either', async () => {
    for (const { path, method, parameters = [] } of operations) {
      if (method === 'POST') continue
      const url = path.replace(/\{\w*Chain\}/g, 'ETH').replace(/\{\w+\}/g, '1')
      const compareUrl = (what: string, large: string) =>
        compare(`${what} of ${path}`, { url }, { url: large })
      await compareUrl('names', `${url}?${NAMES.join('&')}`)
      await compareUrl('repeated names', `${url}?${'a&'.repeat(HEAD / 2)}`)
      for (const { name, in: part } of parameters) {
        if (part === 'header') {
          await compare(`${name} of ${path}`, { url }, { url, headers: { [name]: '1'.repeat(HEAD) } })
        } else if (part === 'path') {
          await compareUrl(name, path.replace(`{${name}}`, '1'.repeat(HEAD)).replace(/\{\w+\}/g, '1'))
        } else {
          await compareUrl(name, `${url}?${name}=${'1'.repeat(HEAD)}`)
          await compareUrl(`escapes in ${name}`, `${url}?${name}=${'%2C'.repeat(HEAD / 3)}`)
          await compareUrl(`repeated ${name}`, `${url}?${`${name}=1&`.repeat(HEAD / (name.length + 3))}`)
        }
      }
    }
    const url = '/chains'
    for (const [name, value] of Object.entries(HEADERS)) {
      const text = value.repeat(HEAD / value.length)
      await compare(`the header ${name}`, { url, headers: {} }, { url, headers: { [name]: text } })
    }
    await compare(
      'headers',
      { url, headers: {} },
      // Newer Node counts the separators too.
      { url, headers: Object.fromEntries(NAMES.slice(0, HEAD / 10).map(name => [name, ''])) }
    )
  })
})
