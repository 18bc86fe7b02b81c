import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { ROUTE, submitBody } from '../../test/helpers/transfer.ts'
import { until } from '../../test/helpers/until.ts'
import type { Answer } from './compared.ts'
import { isSmallest, run, type Server, serve, startNetwork, startService, untilReady } from './lab.ts'
import { type Figure, median, type Result, sum } from './report.ts'

const NETWORK = [1000, 40_000_000] as const

/** Many short rounds spread the machine's noise evenly over all servers. */
const LOAD = isSmallest
  ? { connections: 2, rounds: 1, amount: 10 }
  : { connections: 50, rounds: 15, amount: 5000 }

const STARTS = isSmallest ? { rounds: 1, idleMs: 0 } : { rounds: 9, idleMs: 5000 }

const FEE_PATH = '/v2/fees/calculate'
const QUERY = { ...ROUTE, amount: '100.5' }

const json = { 'content-type': 'application/json' }

/** The response to `/health`. Every server sends it. */
const HEALTH: Answer = {
  path: '/health',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'ok'
}

/** Headers that servers set themselves. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** Requests a path until the response has status 200 and a body that `isWanted` accepts. */
const answerOf = (url: string, path: string, isWanted = (_body: string) => true): Promise<Answer> =>
  until(async () => {
    const response = await fetch(url + path)
    const body = await response.text()
    if (response.status !== 200 || !isWanted(body)) return false
    const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
    return { path, headers: Object.fromEntries(headers), body }
  }, `${path} returns the expected response`)

/** Loads one server for one round. Returns responses per second, the process's CPU time per response, and failures. */
async function ask({ url, usage }: Server, path: string, expectBody?: string) {
  const { connections, amount } = LOAD
  const before = await usage()
  const begin = performance.now()
  const result = await autocannon({
    url: url + path,
    connections,
    amount,
    timeout: 600,
    // Check every 10 ms whether all responses have arrived.
    sampleInt: 10,
    ...(expectBody !== undefined && { expectBody })
  })
  const perSecond = (amount * 1000) / (performance.now() - begin)
  const cpuUs = (((await usage()).cpuMs - before.cpuMs) * 1000) / amount
  return { perSecond, cpuUs, wrong: amount - result['2xx'] + result.mismatches }
}

/** Compares the rates of servers, which take turns, in percent. The first round is a warm-up. */
async function compare(
  name: string,
  servers: Record<string, Server>,
  limits: Record<string, number>,
  path: string,
  expectBody?: string
): Promise<{ figures: Figure[]; wrong: number }> {
  const rounds: Record<string, Awaited<ReturnType<typeof ask>>>[] = []
  for (let round = 0; round <= LOAD.rounds; round += 1) {
    const results = []
    for (const [label, server] of Object.entries(servers))
      results.push([label, await ask(server, path, expectBody)])
    rounds.push(Object.fromEntries(results))
  }
  const over = (of: (round: (typeof rounds)[number]) => number | undefined) =>
    median(rounds.slice(1).map(round => of(round) ?? Number.NaN))
  const figure = (what: 'perSecond' | 'cpuUs', title: string, unit: string): Figure => ({
    name: `${name}, ${title}`,
    unit,
    value: over(({ own }) => own?.[what]),
    compared: Object.fromEntries(
      Object.keys(limits).map(label => [label, over(round => round[label]?.[what])])
    )
  })
  const rates = Object.entries(limits).map(([label, atLeast]) => ({
    name: `${name}, of ${label}`,
    unit: '%',
    value: over(({ own, [label]: other }) => own && other && (100 * own.perSecond) / other.perSecond),
    atLeast
  }))
  return {
    figures: [
      figure('perSecond', 'per second', '/s'),
      ...rates,
      figure('cpuUs', 'CPU time of a response', 'µs')
    ],
    wrong: sum(rounds.flatMap(round => Object.values(round).map(({ wrong }) => wrong)))
  }
}

/** Submits a transfer until it is committed. @returns its txId */
const committed = (url: string) =>
  until(async () => {
    const response = await fetch(`${url}/submit`, {
      method: 'POST',
      headers: json,
      body: submitBody('fee-1')
    })
    const [, txId] = /"txId":(\d+)/.exec(await response.text()) ?? []
    return txId
  }, 'a transfer is committed')

/** Measures the service's response rate, compared with bare servers that send the same bytes, and with Express. */
async function reads(): Promise<Result> {
  const network = await startNetwork(...NETWORK)
  const { env, address } = network
  const request = { method: 'POST', headers: json, body: JSON.stringify({ ...QUERY, creator: address }) }
  const fees = await fetch(`${env['SERVICE_BACKEND_FEE_URL']}${FEE_PATH}`, request)
  const fee = await serve('fastify', [HEALTH, { path: FEE_PATH, headers: json, body: await fees.text() }])
  const own = await startService(network, { SERVICE_BACKEND_FEE_URL: fee.url })
  await untilReady(own)
  const status = `/tx/${await committed(own.url)}/status`
  const fixed = {
    '`/health`': await answerOf(own.url, '/health'),
    '`/chains`': await answerOf(own.url, '/chains'),
    '`/chains/pool`': await answerOf(own.url, '/chains/pool'),
    status: await answerOf(own.url, status, body => body.includes('Completed'))
  }
  const quote = await answerOf(own.url, `/submit/fees?${new URLSearchParams(QUERY)}`)
  const all = [...Object.values(fixed), { ...quote, from: fee.url + FEE_PATH }]
  const servers = {
    own,
    Fastify: await serve('fastify', all),
    Express: await serve('express', Object.values(fixed))
  }
  const results = []
  for (const [name, { path, body }] of Object.entries(fixed))
    results.push(await compare(name, servers, { Express: 150, Fastify: 50 }, path, body))
  const { Express: _, ...forQuotes } = servers
  results.push(await compare('quote', forQuotes, { Fastify: 45 }, quote.path))
  const { rss } = await own.usage({ collect: true })
  return {
    title: 'Reads',
    conditions:
      `${LOAD.connections} connections, log of level info to a file; ${LOAD.rounds} rounds of ${LOAD.amount} requests, by turns; ` +
      'medians. Fastify has no plugins, sends the same headers and bodies, and writes one line for each request; for a quote ' +
      'it asks the same fee service. Express 4 sends the same with `res.json`.',
    figures: [
      ...results.flatMap(({ figures }) => figures),
      { name: 'memory after load', unit: 'MB', value: rss / 1e6, atMost: 130 }
    ],
    wrong: sum(results.map(({ wrong }) => wrong))
  }
}

/** Starts a server once. Returns times in milliseconds and memory in megabytes. */
async function measureStart(launch: () => Promise<Server>) {
  const begin = performance.now()
  const { usage, stop } = await launch()
  const healthyMs = performance.now() - begin
  const { cpuMs } = await usage()
  await delay(STARTS.idleMs)
  const { rss } = await usage()
  await stop()
  return { healthyMs, cpuMs, memory: rss / 1e6 }
}

/** Measures the startup time and memory of the built server, compared with a bare Fastify, alternately. */
async function start(): Promise<Result> {
  const network = await startNetwork(...NETWORK)
  const rounds: Record<'own' | 'bare', Awaited<ReturnType<typeof measureStart>>>[] = []
  for (let round = 0; round < STARTS.rounds; round += 1) {
    const own = await measureStart(() => startService(network))
    rounds.push({ own, bare: await measureStart(() => serve('fastify', [HEALTH])) })
  }
  const measured = (name: string, unit: string, what: 'healthyMs' | 'cpuMs' | 'memory', atMost: number) => {
    const of = (subject: 'own' | 'bare') => median(rounds.map(round => round[subject][what]))
    const ratio = { name: 'the same as a ratio', unit: '', value: of('own') / of('bare'), atMost }
    return [{ name, unit, value: of('own'), compared: { Fastify: of('bare') } }, ratio]
  }
  return {
    title: 'Start',
    conditions:
      `From the start of the process, with a new store; memory ${STARTS.idleMs / 1000} s later, while the server follows the ` +
      `chain; ${STARTS.rounds} rounds by turns; medians. Fastify has one route and no plugins.`,
    figures: [
      ...measured('until the first response of `/health`', 'ms', 'healthyMs', 4),
      ...measured('CPU time until then', 'ms', 'cpuMs', 5),
      ...measured('memory of the idle process', 'MB', 'memory', 2)
    ],
    wrong: 0
  }
}

await run([reads, start])
