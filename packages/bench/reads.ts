import autocannon from 'autocannon'
import { ROUTE } from '../../test/helpers/transfer.ts'
import { answerOf, HEALTH, serve } from './answers.ts'
import type { Benchmark, Lab } from './lab.ts'
import type { Answer } from './processes/answer.ts'
import { type Network, startNetwork } from './processes/network.ts'
import { type Server, startService, untilReady } from './processes/server.ts'
import type { Figure } from './report.ts'
import { median, sum } from './statistics.ts'
import { connect } from './submissions.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }

/** The usual load. Many short rounds spread the machine's noise evenly over all servers. */
const USUAL = { connections: 50, rounds: 15, amount: 5000 }
const SMALLEST = { connections: 2, rounds: 1, amount: 10 }

/** Request timeout in seconds. */
const PATIENCE_S = 600

const FEE_PATH = '/v2/fees/calculate'
const QUERY = { ...ROUTE, amount: '100.5' }

/** The target response rates, as a percentage of another server's rate. */
const LIMITS = { fixed: { Express: 150 }, quote: { bare: 40 } }

/** The result of one server in one round. */
interface Round {
  perSecond: number
  /** CPU time of the whole process per response, in microseconds. */
  cpuUs: number
  wrong: number
}

/** A path to read and the servers to compare. */
interface Case {
  name: string
  path: string
  /** The expected body, if all responses have the same body. */
  expectBody?: string
  servers: Record<string, Server>
  /** Target rates, by server to compare with, as a percentage of that server's rate. */
  limits: Record<string, number>
}

async function ask({ url, usage }: Server, { path, expectBody }: Case, { isSmallest }: Lab): Promise<Round> {
  const { connections, amount } = isSmallest ? SMALLEST : USUAL
  const before = await usage()
  const begin = performance.now()
  const result = await autocannon({
    url: url + path,
    connections,
    amount,
    timeout: PATIENCE_S,
    // Check every 10 ms whether all responses have arrived.
    sampleInt: 10,
    ...(expectBody !== undefined && { expectBody })
  })
  const seconds = (performance.now() - begin) / 1000
  const cpuMs = (await usage()).cpuMs - before.cpuMs
  return {
    perSecond: amount / seconds,
    cpuUs: (cpuMs * 1000) / amount,
    wrong: amount - result['2xx'] + result.mismatches
  }
}

/** Compares the servers, which take turns. The first round is a warm-up. */
async function compare(it: Case, lab: Lab): Promise<{ figures: Figure[]; wrong: number }> {
  const { rounds } = lab.isSmallest ? SMALLEST : USUAL
  const all = Object.entries(it.servers).map(([label, server]) => ({ label, server, rounds: [] as Round[] }))
  let wrong = 0
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of all) {
      const measured = await ask(one.server, it, lab)
      wrong += measured.wrong
      if (round > 0) one.rounds.push(measured)
    }
  }
  const of = (label: string) => all.find(one => one.label === label)?.rounds ?? []
  /** Compares the rates round by round. */
  const rateOf = (label: string, atLeast: number | undefined): Figure => ({
    name: `${it.name}, of ${label}`,
    unit: '%',
    value:
      100 *
      median(
        of('own').map(({ perSecond }, round) => perSecond / (of(label)[round]?.perSecond ?? Number.NaN))
      ),
    ...(atLeast !== undefined && { limit: { atLeast } })
  })
  const figure = (name: string, unit: string, value: (round: Round) => number): Figure => {
    const { own = Number.NaN, ...compared } = Object.fromEntries(
      all.map(({ label, rounds }) => [label, median(rounds.map(value))])
    )
    return { name: `${it.name}, ${name}`, unit, value: own, compared }
  }
  return {
    figures: [
      figure('per second', '/s', ({ perSecond }) => perSecond),
      ...all.filter(({ label }) => label !== 'own').map(({ label }) => rateOf(label, it.limits[label])),
      figure('CPU time of a response', 'µs', ({ cpuUs }) => cpuUs)
    ],
    wrong
  }
}

/** Requests a quote from the development network's fee service. */
async function quoteOf({ env, address }: Network): Promise<string> {
  const response = await fetch(`${env['SERVICE_BACKEND_FEE_URL']}${FEE_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...QUERY, creator: address })
  })
  if (!response.ok) throw new Error(`the fee service responded with status ${response.status}`)
  return response.text()
}

/** Measures the service's response rate, compared with bare servers that send the same bytes, and with Express. */
const fromMemoryAndUpstreams: Benchmark = async lab => {
  const network = await startNetwork(lab, NETWORK)
  const json = { 'content-type': 'application/json' }
  const fee = await serve(lab, 'bare', [
    HEALTH,
    { path: FEE_PATH, headers: json, body: await quoteOf(network) }
  ])
  const own = await startService(lab, network, {
    SERVICE_BACKEND_FEE_URL: fee.url
  })
  await untilReady(own)
  const { submit, close } = connect([own], 1)
  const { told } = await submit()
  await close()

  const health = await answerOf(own.url, '/health')
  const chains = await answerOf(own.url, '/chains')
  const pool = await answerOf(own.url, '/chains/pool')
  const status = await answerOf(own.url, `/tx/${told?.txId}/status`, body => body.includes('Completed'))
  const quote = await answerOf(own.url, `/submit/fees?${new URLSearchParams(QUERY)}`)
  const fixed = [health, chains, pool, status]
  const all = [...fixed, { ...quote, from: fee.url + FEE_PATH }]
  const fastify = {
    bare: await serve(lab, 'bare', all),
    'bare, logging': await serve(lab, 'bare', all, 'log')
  }
  const servers = { own, ...fastify, Express: await serve(lab, 'express', fixed) }

  const same = (name: string, { path, body }: Answer): Case => ({
    name,
    path,
    expectBody: body,
    servers,
    limits: LIMITS.fixed
  })
  const cases: Case[] = [
    same('`/health`', health),
    same('`/chains`', chains),
    same('`/chains/pool`', pool),
    same('status', status),
    { name: 'quote', path: quote.path, servers: { own, ...fastify }, limits: LIMITS.quote }
  ]
  const results = []
  for (const one of cases) results.push(await compare(one, lab))
  const { rss } = await own.usage({ collect: true })
  const { connections, rounds, amount } = USUAL
  return {
    title: 'Reads',
    conditions:
      `${connections} connections, log of level info to a file; ${rounds} rounds of ${amount} requests, by turns; medians. ` +
      'Bare is a Fastify without plugins that sends the same headers and bodies, and for a quote asks the same fee service; ' +
      'logging, it writes one line for each request. Express 4 sends the same with `res.json`.',
    figures: [
      ...results.flatMap(({ figures }) => figures),
      { name: 'memory after load', unit: 'MB', value: rss / 1e6, limit: { atMost: 130 } }
    ],
    wrong: sum(results.map(({ wrong }) => wrong))
  }
}

export const reads = [fromMemoryAndUpstreams]
