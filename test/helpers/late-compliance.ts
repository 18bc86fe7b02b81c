import type { ServerResponse } from 'node:http'
import fp from 'fastify-plugin'
import { build, type startNetwork } from './app.ts'
import { stretchTimers } from './clock.ts'
import { json, serve } from './local-server.ts'
import { patientFetch } from './patient-fetch.ts'
import type { Test } from './tap.ts'
import { TRANSFER } from './transfer-flow.ts'
import { until } from './until.ts'

/** Starts a compliance provider that responds only when the test tells it to. */
export async function lateProvider(t: Test) {
  const waiting: ServerResponse[] = []
  const { url, seen } = await serve(t, (_request, response) => waiting.push(response))
  return {
    url,
    asked: (count: number) => until(() => seen.length >= count, `${count} checks have started`),
    answer(risk_score: 'low' | 'high') {
      const response = waiting.shift()
      if (response === undefined) throw new Error('no check is pending')
      const addresses = [TRANSFER.originAddress, TRANSFER.targetAddress]
      json(
        response,
        addresses.map(address => ({ address, risk_score }))
      )
    },
    get checks() {
      return seen.length
    }
  }
}

/** Starts a server that requires quotes and counts incoming submissions. Compliance checks do not time out. */
export async function listening(
  t: Test,
  compliance: { url: string },
  devnet: Awaited<ReturnType<typeof startNetwork>>,
  settings = {}
) {
  stretchTimers(t)
  let came = 0
  const counting = fp(async app => {
    app.addHook('preHandler', async ({ method }) => {
      if (method === 'POST') came += 1
    })
  })
  const server = await build(
    t,
    { SERVICE_QUOTE_CHECK: 'required', COMPLIANCE_URL: compliance.url, ...settings },
    { devnet, hooks: counting }
  )
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    server,
    came: (count: number) => until(() => came >= count, `${count} submissions have arrived`),
    async submit(body: object, signal?: AbortSignal) {
      const response = await patientFetch(`${url}/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal })
      })
      return { status: response.status, body: await response.json() }
    }
  }
}
