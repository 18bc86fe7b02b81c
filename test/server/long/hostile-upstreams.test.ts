import { createSignatureCheck } from '../../../services/approvals/signatures/index.ts'
import { brandNames } from '../../../services/brand.ts'
import { createComplianceService } from '../../../services/providers/compliance.ts'
import { createKycService } from '../../../services/providers/kyc.ts'
import { createFeeService } from '../../../services/quotes/fee-service.ts'
import { createGraphqlIndex } from '../../../services/status/graphql-index.ts'
import { statusResources } from '../../../services/status/resources.ts'
import { createChainApi } from '../../../services/upstream/chain-api.ts'
import { stretchTimers } from '../../helpers/clock.ts'
import { HOSTILITIES, hostileServer } from '../../helpers/hostile-server.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'

const ADDRESS = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const UUID = '3b241101-e2bb-4255-8caf-4136c566a962'
const AMOUNT = { allowanceAmount: '100500000', submitAmount: '100500000', message: 'I approve' }
const TRANSFER = {
  amount: '100.5',
  originAddress: ADDRESS,
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: ADDRESS,
  targetChain: 'POL',
  targetSymbol: 'USDC'
}
const { transfer } = statusResources(brandNames('service'))
const RECORD = Object.fromEntries(
  transfer.fields.map(({ name, kind }) => [name, kind === 'count' ? 42 : `the ${name}`])
)

interface Client {
  /** Resolves when the answer is right. */
  call(): Promise<unknown>
  close(): Promise<void>
}

/** Each upstream of a user's request: its right answer, and the service's client. */
const UPSTREAMS: Record<string, { right: object; connect: (url: string) => Client }> = {
  'the fee service': {
    right: { feeId: 'f-1', decimals: 6, transactionValues: { feeFromOrigin: AMOUNT } },
    connect(baseUrl) {
      const fees = createFeeService({
        baseUrl,
        path: '/v2/fees/calculate',
        api: 'v2',
        format: 'documented',
        creator: 'service1creator',
        environment: 'testnet',
        chains: {
          token: async symbol => ({ symbol, address: '', decimals: 6, peggedTo: 'USD' }),
          transferLimit: async () => undefined
        },
        log: keepingLog().log
      })
      // The answer goes to the client as JSON.
      return { call: async () => JSON.stringify(await fees.quote(TRANSFER)), close: fees.close }
    }
  },
  'the chain API': {
    right: { transactionData: { index: '42' } },
    connect(baseUrl) {
      const api = createChainApi({ baseUrl, modulePath: '/modules' })
      return { call: () => api.find('/transaction/data', '42', 'transactionData'), close: api.close }
    }
  },
  'the index': {
    right: { data: { transaction_data: [RECORD] } },
    connect(url) {
      const index = createGraphqlIndex(url)
      return { call: () => index.find(transfer, '42'), close: index.close }
    }
  },
  'the compliance provider': {
    right: [{ address: ADDRESS, risk_score: 'low' }],
    connect(url) {
      const compliance = createComplianceService({ url, accept: ['low'] })
      return { call: async () => JSON.stringify(await compliance.check([ADDRESS])), close: compliance.close }
    }
  },
  'the KYC provider': {
    right: [{ id: 'a', status: 'passed', external_uuid: UUID, created_at: '2026-01-01' }],
    connect(url) {
      const kyc = createKycService({ url, apiKey: 'key' })
      return { call: () => kyc.records(UUID), close: kyc.close }
    }
  },
  'the RPC of a contract wallet’s chain': {
    right: { jsonrpc: '2.0', id: 1, result: `0x${'1'.padStart(64, '0')}` },
    connect(url) {
      const check = createSignatureCheck({ evmRpc: { ETH: url } })
      const signed = {
        chain: 'ETH',
        address: ADDRESS,
        signature: `0x${'ab'.repeat(100)}`,
        texts: ['I approve']
      }
      return {
        async call() {
          const problem = await check.problem(signed)
          if (problem !== undefined) throw new TypeError(problem)
        },
        close: check.close
      }
    }
  }
}

for (const [upstream, { right, connect }] of Object.entries(UPSTREAMS)) {
  test(`however ${upstream} answers, a call ends with a named error, and the next one works`, async t => {
    const internal = await serve(t, (_request, response) => response.end())
    const before = process.memoryUsage().rss

    /** @returns a function that heals the upstream and makes the next call */
    async function meet(kind: string, hostility: (typeof HOSTILITIES)[string]): Promise<() => Promise<void>> {
      const server = await hostileServer(t, hostility, JSON.stringify(right), internal.url)
      const { call, close } = connect(server.url)
      t.teardown(close)
      const end = await call().then(
        () => 'right',
        error => error.code ?? error
      )
      t.ok(hostility.ends.includes(end), `one that ${kind}: ${end}`)
      return async () => {
        await server.heal()
        await t.resolves(call(), `one that ${kind}: the next call`)
      }
    }

    const kinds = Object.entries(HOSTILITIES)
    const isLate = ([, { ends }]: (typeof kinds)[number]) => ends.includes('UPSTREAM_TIMEOUT')
    const works: (() => Promise<void>)[] = []
    // Only those whose calls end by the time limit meet it, and nothing competes with them.
    const restoreTimers = stretchTimers(t)
    for (const [kind, hostility] of kinds.filter(each => !isLate(each)))
      works.push(await meet(kind, hostility))
    restoreTimers()
    works.push(...(await Promise.all(kinds.filter(isLate).map(each => meet(...each)))))
    stretchTimers(t)
    for (const nextCall of works) await nextCall()
    const grownMiB = (process.memoryUsage().rss - before) / 1024 / 1024
    t.ok(grownMiB < 400, `memory has grown by ${Math.round(grownMiB)} MiB`)
    t.same(internal.seen, [], 'no redirection is followed')
    t.equal(Reflect.get({}, 'polluted'), undefined)
  })
}
