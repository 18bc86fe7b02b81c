import { request } from 'undici'
import { ROUTE } from '../../test/helpers/transfer.ts'
import type { Benchmark } from '../lab.ts'
import { type Network, startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import { answerOf } from './answers.ts'
import { CONDITIONS, compare, ratesOf } from './compare.ts'
import { startBare, startSubject } from './subjects.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }
const QUERY = { ...ROUTE, amount: '100.5' }
const FEE_PATH = '/v2/fees/calculate'

/** A quote of the development network's fee service. */
async function quoteOf({ env, address }: Network): Promise<string> {
  const url = `${env['SERVICE_BACKEND_FEE_URL']}${FEE_PATH}`
  const headers = { 'content-type': 'application/json' }
  const asked = JSON.stringify({ ...QUERY, creator: address })
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: asked })
  if (statusCode !== 200) throw new Error(`the fee service answered ${statusCode}`)
  return body.text()
}

/** How many quotes the server answers, compared with a bare Fastify that sends on what the fee service answers. */
export const quote: Benchmark = async lab => {
  const { teardown, isShort } = lab
  const network = await startNetwork(lab, NETWORK)
  teardown(network.stop)
  const { url } = await startSubject(lab, 'fee', await quoteOf(network))
  const env = { LOG_LEVEL: 'info', SERVICE_BACKEND_FEE_URL: url, SERVICE_BACKEND_FEE_PATH: FEE_PATH }
  const own = await startServer(network, { ...lab, env })
  teardown(own.stop)
  const path = `/submit/fees?${new URLSearchParams(QUERY)}`
  const { bare, logging } = await startBare(lab, [{ ...(await answerOf(own.url, path)), from: url }])
  const figures = await compare({ own, bare, logging }, { name: 'quote', path, isShort }, { bare: 0.4 })
  return {
    name: 'quote',
    conditions: `${CONDITIONS}; the fee service is a process of its own that answers at once`,
    figures,
    charts: [comparison('quote', 'Quotes per second', ratesOf(figures))],
    notes: [
      'Bare is a Fastify without plugins that asks the same fee service with undici, and sends its answer on as it came.'
    ]
  }
}
