import asyncHooks from 'node:async_hooks'
import { execFileSync } from 'node:child_process'
import diagnostics from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

// A hostile SERVICE_CUSTOM_PLUGIN: it looks for the wallet's key wherever its code can get without reading the files of the
// service or the memory of the process. `GET /crawl` answers what it found, and what it had planted itself.

const require = createRequire(import.meta.url)
const root = new URL('../../', import.meta.url)

/** What was in reach at some moment, by where. */
const loot = new Map()
let caught = 0

function take(where, ...values) {
  for (const value of values) loot.set(`${where}#${caught++}`, value)
}

const emit = EventEmitter.prototype.emit
EventEmitter.prototype.emit = function (...args) {
  take('emit', this, args)
  return emit.apply(this, args)
}

asyncHooks
  .createHook({
    init(_id, type, _trigger, resource) {
      take(`async ${type}`, resource, asyncHooks.executionAsyncResource())
    }
  })
  .enable()

const channels = [
  ...['create', 'bodySent', 'bodyChunkSent', 'headers', 'trailers', 'error'].map(n => `undici:request:${n}`),
  ...['sendHeaders', 'beforeConnect', 'connected', 'connectError'].map(n => `undici:client:${n}`),
  ...['created', 'request.start', 'response.created', 'response.finish'].map(n => `http.server.${n}`),
  ...['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map(n => `tracing:fastify.request.handler:${n}`),
  'fastify.initialization',
  'net.client.socket',
  'net.server.socket',
  'worker_threads'
]
for (const name of channels) diagnostics.subscribe(name, message => take(`channel ${name}`, message))

/** Who called, as far as the stack tells it. */
function callers() {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = 200
  Error.prepareStackTrace = (_error, sites) => sites
  const sites = new Error('callers').stack.map(site => [site.getThis(), site.getFunction()])
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return sites
}

const quietly = read => {
  try {
    return read()
  } catch (error) {
    return error
  }
}

async function namespaces() {
  const files = ['config', 'plugins', 'services', 'packages/operator', 'routes'].flatMap(folder =>
    readdirSync(new URL(folder, root), { recursive: true })
      .filter(file => file.endsWith('.ts') && !file.includes('worker') && file !== 'cli.ts')
      .map(file => `${folder}/${file}`)
  )
  return Promise.all(['app.ts', 'server.ts', ...files].map(file => import(new URL(file, root).href)))
}

const builtins = () =>
  module.builtinModules
    .filter(name => !/^(_|inspector|wasi|v8|sys|trace_events|repl)/.test(name))
    .map(name => quietly(() => require(name)))

/** What it looks for, from a file, so that no object in reach has it; and from `alloc`, so that no shared memory has it. */
function needles() {
  const text = readFileSync(process.env.NEEDLES, 'latin1')
  return JSON.parse(fromHex(text).toString('latin1'))
}

const fromHex = text => Buffer.alloc(text.length / 2, text, 'hex')

function crawl(roots) {
  const { texts, bytes, number } = needles()
  const keys = bytes.map(text => fromHex(text).toString('latin1'))
  const found = new Set()
  const seen = new Set()
  const queue = []
  let calls = 0

  const isSecret = text => texts.some(needle => text.includes(needle)) || keys.some(key => text.includes(key))

  function look(value, path) {
    if (typeof value === 'string' || typeof value === 'bigint') {
      if (isSecret(String(value).toLowerCase()) || isSecret(String(value)) || String(value) === number)
        found.add(path)
    } else if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
      if (!seen.has(value)) {
        seen.add(value)
        queue.push([value, path])
      }
    }
  }

  function visit(object, path) {
    if (ArrayBuffer.isView(object)) look(object.buffer, `${path}.buffer`)
    if (object instanceof ArrayBuffer || object instanceof SharedArrayBuffer) {
      const text = Buffer.from(object).toString('latin1')
      if (isSecret(text)) found.add(`${path} (bytes)`)
      return
    }
    if (ArrayBuffer.isView(object)) return
    if (object instanceof Map || object instanceof Set) {
      for (const [key, value] of quietly(() => [...object.entries()]) ?? []) {
        look(key, `${path}.key`)
        look(value, `${path}.value`)
      }
    }
    if (object instanceof WeakRef) look(object.deref(), `${path}.deref`)
    if (Array.isArray(object) && object.length >= 32) {
      const numbers = object.filter(entry => Number.isInteger(entry) && entry >= 0 && entry < 256)
      if (isSecret(String.fromCharCode(...numbers.slice(0, 10_000)))) found.add(`${path} (numbers)`)
    }
    for (let holder = object; holder !== null; holder = Object.getPrototypeOf(holder)) {
      for (const key of Reflect.ownKeys(holder)) {
        const place = `${path}.${String(key)}`
        look(typeof key === 'string' ? key : key.description, place)
        const property = Reflect.getOwnPropertyDescriptor(holder, key)
        if (property === undefined) continue
        if ('value' in property) look(property.value, place)
        else if (property.get !== undefined) {
          calls += 1
          look(property.get, place)
          look(
            quietly(() => property.get.call(object)),
            place
          )
        }
      }
      look(holder, path)
    }
  }

  for (const [path, value] of roots) look(value, path)
  while (queue.length > 0) {
    const [object, path] = queue.pop()
    quietly(() => visit(object, path))
  }
  return { found: [...found].map(path => path.slice(0, 300)), visited: seen.size, calls }
}

/** What is in reach at this moment, beside what was caught before. */
async function inReach(app, request) {
  return new Map(
    Object.entries({
      loot: [...loot],
      app,
      request,
      globalThis,
      process,
      environment: { ...process.env },
      report: quietly(() => process.report.getReport()),
      handles: quietly(() => process._getActiveHandles()),
      requests: quietly(() => process._getActiveRequests()),
      pool: Array.from({ length: 64 }, () => Buffer.from('pool').buffer),
      modules: await namespaces(),
      builtins: builtins(),
      cache: [require.cache, require.main, module._cache, module._pathCache],
      callers: callers(),
      error: await app.inject('/nowhere').catch(error => error),
      child: execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], { encoding: 'utf8' }),
      environ: readFileSync('/proc/self/environ', 'latin1'),
      worker: await new Promise(resolve => {
        const code = `require('node:worker_threads').parentPort.postMessage(JSON.stringify(process.env))`
        new Worker(code, { eval: true }).on('message', resolve)
      })
    })
  )
}

export default async function plugin(app, options, ...rest) {
  take('plugin', this, options, rest, app, callers())
  for (const name of ['onRequest', 'preHandler', 'onSend', 'onResponse', 'onError', 'onTimeout']) {
    app.addHook(name, async function hook(...args) {
      take(name, this, args, callers())
    })
  }
  for (const name of ['onReady', 'onListen', 'onRoute', 'onRegister', 'onClose', 'preClose']) {
    app.addHook(name, function hook(...args) {
      take(name, this, args, callers())
      const done = args.at(-1)
      if (name !== 'onRoute' && name !== 'onRegister' && typeof done === 'function') done()
    })
  }
  app.decorate('customTransValidation', function customTransValidation(...args) {
    take('customTransValidation', this, args, callers())
    for (const arg of args) take('submission', arg?.submission, arg?.raw)
    return ''
  })
  app.get('/crawl', async request => {
    const roots = await inReach(app, request)
    for (const [form, plant] of Object.entries(planted())) {
      roots.set(`planted ${form}`, { [Symbol('deep')]: new Map([[{}, [plant]]]) })
    }
    return crawl(roots)
  })
}

/** Secrets in forms that the crawl has to find. */
function planted() {
  const { texts, bytes, number } = needles()
  const key = fromHex(bytes[0])
  return {
    text: Object.defineProperty({}, 'hidden', { get: () => `a ${texts[0]} b` }),
    bytes: key.subarray(8),
    numbers: [...key],
    bigint: { [Symbol('d')]: BigInt(number) }
  }
}
