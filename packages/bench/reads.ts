import { setTimeout as delay } from 'node:timers/promises'
import { ROUTE, submitBody } from '../../test/helpers/transfer.ts'
import { until } from '../../test/helpers/until.ts'
import type { Sent } from './compared.ts'
import { isSmallest, run, type Server, serve, startNetwork, startService, untilReady } from './lab.ts'
import { type Answer, load } from './load.ts'
import { type Figure, median, type Result } from './report.ts'

const NETWORK = [1000, 40_000_000] as const

/** The load of each measurement. Many short rounds spread the machine's noise evenly over all servers. */
const LOAD = isSmallest ? { clients: 2, rounds: 1, amount: 10 } : { clients: 50, rounds: 15, amount: 5000 }
const STARTS = isSmallest ? { rounds: 1, idleMs: 0 } : { rounds: 9, idleMs: 5000 }

const FEE_PATH = '/v2/fees/calculate'
const QUERY = { ...ROUTE, amount: '100.5' }
/** Matches the id of a quote, which is different in each response. */
const FEE_ID = /"feeId":"[^"]*"/g
const json = { 'content-type': 'application/json' }

/** The response to `/health`. Every server sends it. */
const HEALTH = { path: '/health', headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' }

/** Headers that servers set themselves. */
const OWN_HEADERS = ['connection', 'keep-alive', 'date', 'content-length']

/** Requests a path until the response has status 200 and a body that contains `wanted`. */
const answerOf = (url: string, path: string, wanted = ''): Promise<Answer> =>
  until(async () => {
    const response = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    const body = await response.text()
    if (response.status !== 200 || !body.includes(wanted)) return false
    const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name))
    return { path, headers: Object.fromEntries(headers), body }
  }, `${path} returns the expected response`)

/** Measures subjects by turns, after a round to warm up. Returns functions for medians. */
async function byTurns<What extends string>(
  count: number,
  subjects: Record<string, () => Promise<Record<What, number>>>
) {
  const labels = Object.keys(subjects)
  const rounds: Record<string, Record<What, number>>[] = []
  for (let round = 0; round <= count; round += 1) {
    const results = []
    for (const [label, measure] of Object.entries(subjects)) results.push([label, await measure()])
    if (round > 0) rounds.push(Object.fromEntries(results))
  }
  return {
    figure(name: string, unit: string, what: What): Figure {
      const medians = labels.map(label => [label, median(rounds.map(round => Number(round[label]?.[what])))])
      const { own: value = 0, ...compared }: Record<string, number> = Object.fromEntries(medians)
      return { name, unit, value, compared }
    },
    ratio: (what: What, to: string) =>
      median(rounds.map(({ own, [to]: other }) => Number(own?.[what]) / Number(other?.[what])))
  }
}

/** Measures the service's response rate, compared with bare servers that send the same bytes, and with Express. */
async function reads(): Promise<Result> {
  const network = await startNetwork(...NETWORK)
  const { env, address } = network
  const request = { method: 'POST', headers: json, body: JSON.stringify({ ...QUERY, creator: address }) }
  const fees = await fetch(`${env['SERVICE_BACKEND_FEE_URL']}${FEE_PATH}`, request)
  const upstream = { path: FEE_PATH, headers: json, body: await fees.text(), varying: FEE_ID }
  const fee = await serve('fastify', [HEALTH, upstream])
  const own = await startService(network, { SERVICE_BACKEND_FEE_URL: fee.url })
  const { url } = own
  await untilReady(own)
  const txId = await until(async () => {
    const response = await fetch(`${url}/submit`, { ...request, body: submitBody('fee-1') })
    return /"txId":(\d+)/.exec(await response.text())?.[1]
  }, 'a transfer is committed')
  const fixed: Record<string, Answer> = {
    '`/health`': await answerOf(url, '/health'),
    '`/ready`': { ...(await answerOf(url, '/ready')), varying: /\d+/g },
    '`/chains`': await answerOf(url, '/chains'),
    '`/chains/pool`': await answerOf(url, '/chains/pool'),
    status: await answerOf(url, `/tx/${txId}/status`, 'Completed')
  }
  const quote = { ...(await answerOf(url, `/submit/fees?${new URLSearchParams(QUERY)}`)), varying: FEE_ID }
  const bare: Sent = { ...quote, body: upstream.body, from: fee.url + FEE_PATH }
  const Fastify = await serve('fastify', [...Object.values(fixed), bare])
  const Express = await serve('express', Object.values(fixed))

  const figures: Figure[] = []
  let wrong = 0
  type Servers = Record<string, readonly [Server, Answer]>
  async function compare(name: string, servers: Servers, limits: Record<string, number>) {
    const subjects = Object.entries(servers).map(([label, [{ url, usage }, answer]]) => {
      async function measure() {
        const [{ cpuMs }, begin] = [await usage(), performance.now()]
        wrong += await load(url, answer, LOAD.clients, LOAD.amount)
        const perSecond = (LOAD.amount * 1000) / (performance.now() - begin)
        return { perSecond, cpuUs: (((await usage()).cpuMs - cpuMs) * 1000) / LOAD.amount }
      }
      return [label, measure] as const
    })
    const { figure, ratio } = await byTurns(LOAD.rounds, Object.fromEntries(subjects))
    figures.push(figure(`${name}, per second`, '/s', 'perSecond'), figure(`${name}, CPU time`, 'µs', 'cpuUs'))
    for (const [label, atLeast] of Object.entries(limits)) {
      const value = 100 * ratio('perSecond', label)
      figures.push({ name: `${name}, of ${label}`, unit: '%', value, atLeast })
    }
  }
  for (const [name, answer] of Object.entries(fixed)) {
    const servers = { own: [own, answer], Fastify: [Fastify, answer], Express: [Express, answer] } as const
    await compare(name, servers, { Express: 150, Fastify: 50 })
  }
  await compare('quote', { own: [own, quote], Fastify: [Fastify, bare] }, { Fastify: 45 })
  const { rss } = await own.usage({ collect: true })
  return {
    title: 'Reads',
    conditions:
      `${LOAD.clients} connections, log of level info to a file; ${LOAD.rounds} rounds of ${LOAD.amount} requests, by turns; ` +
      'medians. Fastify has no plugins, sends the same headers and bodies, and writes one line for each request; for a quote ' +
      'it asks the same fee service and writes a row as durably. Express 4 sends the same with `res.json`.',
    figures: [...figures, { name: 'memory after load', unit: 'MB', value: rss / 1e6, atMost: 130 }],
    wrong
  }
}

/** Starts a server once. Returns times in milliseconds and memory in megabytes. */
async function measureStart(launch: () => Promise<Server>) {
  const begin = performance.now()
  const { usage, stop } = await launch()
  const healthyMs = performance.now() - begin
  await delay(STARTS.idleMs)
  const { rss } = await usage()
  await stop()
  return { healthyMs, memory: rss / 1e6 }
}

/** Measures the startup time and memory of the built server, compared with a bare Fastify, alternately. */
async function start(): Promise<Result> {
  const network = await startNetwork(...NETWORK)
  const { figure, ratio } = await byTurns(STARTS.rounds, {
    own: () => measureStart(() => startService(network)),
    Fastify: () => measureStart(() => serve('fastify', [HEALTH]))
  })
  const both = (name: string, unit: string, what: 'healthyMs' | 'memory', atMost: number) => [
    figure(name, unit, what),
    { name: 'the same as a ratio', unit: '', value: ratio(what, 'Fastify'), atMost }
  ]
  return {
    title: 'Start',
    conditions:
      `From the start of the process, with a new store; memory ${STARTS.idleMs / 1000} s later, while the server follows the ` +
      `chain; ${STARTS.rounds} rounds by turns; medians. Fastify has one route and no plugins.`,
    figures: [
      ...both('until the first response of `/health`', 'ms', 'healthyMs', 4),
      ...both('memory of the idle process', 'MB', 'memory', 2)
    ],
    wrong: 0
  }
}

await run([reads, start])
