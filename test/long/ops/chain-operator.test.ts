import type { FastifyInstance } from 'fastify'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, submit } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'

interface Sign {
  /** A check of `/ready` with its detail. */
  ready?: [check: string, detail: RegExp]
  /** A message in the log. */
  log?: RegExp
  /** A path and its status. */
  answer?: [path: string, status: number]
}

const QUOTE =
  '/submit/fees?originChain=CC&originSymbol=USD&originAddress=&targetChain=POL&targetSymbol=USDC' +
  '&targetAddress=0x8ba1f109551bD432803012645Ac136ddd64DBA72&amount=25'

/** The signs in docs/chain-operator.md, at the start or after the first submission. */
const WRONG: [
  what: string,
  env: (urls: Devnet['urls']) => Variables,
  signs: Sign[],
  after?: 'a submission'
][] = [
  [
    'brand',
    () => ({ SERVICE_BRAND: 'acme' }),
    [{ ready: ['chainApi', /^unavailable$/], answer: ['/chains', 502] }]
  ],
  [
    'prefix',
    () => ({ SERVICE_SIGNER_ADDRESS: 'acme15yk64u7zc9g9k2yr2wmzeva5qgwxps6yzdjluy' }),
    [
      {
        ready: ['signer', /^wallet-unknown$/],
        log: /begins with acme, but addresses on the chain with service/
      }
    ]
  ],
  [
    'denomination',
    () => ({ SERVICE_GAS_PRICE: '0.025uacme' }),
    [{ ready: ['signer', /^fee-too-high$/] }],
    'a submission'
  ],
  [
    'gas price',
    () => ({ SERVICE_GAS_PRICE: '0.0001' }),
    [{ ready: ['signer', /^fee-too-high$/] }],
    'a submission'
  ],
  [
    'gas price by less',
    () => ({ SERVICE_GAS_PRICE: '0.003' }),
    [{ log: /^slot signed again: the node requires a higher fee$/ }],
    'a submission'
  ],
  [
    'RPC node',
    ({ rest }) => ({ SERVICE_BACKEND_NODE_PROVIDER: rest }),
    [{ ready: ['rpc', /^0 of 1 nodes healthy/], log: /^RPC node skipped$/ }]
  ],
  [
    'REST API',
    ({ rpc }) => ({ SERVICE_BACKEND_NODE_PROVIDER_QUERY: rpc }),
    [{ ready: ['chainApi', /^unavailable$/], answer: ['/chains', 502] }]
  ],
  ['fee service', ({ kyc }) => ({ SERVICE_BACKEND_FEE_URL: kyc }), [{ answer: [QUOTE, 502] }]],
  [
    'whitelist',
    () => ({ SERVICE_BACKEND_MNEMONIC: OTHER_WALLET }),
    [{ ready: ['signer', /^wallet-not-whitelisted$/] }]
  ]
]

async function shows(
  server: FastifyInstance,
  lines: string[],
  { ready, log, answer }: Sign
): Promise<boolean> {
  const { checks } = (await server.inject('/ready')).json()
  const isReported = ready === undefined || ready[1].test(checks[ready[0]].ok ? '' : checks[ready[0]].detail)
  const texts = lines.map(line => JSON.parse(line)).flatMap(({ msg, reason }) => [msg, reason])
  const isLogged = log === undefined || texts.some(text => log.test(text))
  const isAnswered = answer === undefined || (await server.inject(answer[0])).statusCode === answer[1]
  return isReported && isLogged && isAnswered
}

for (const [what, env, signs, after] of WRONG)
  test(`a wrong ${what} shows in /ready, the log or a response${after ? ` after ${after}` : ''}`, async t => {
    const devnet = await startNetwork(t)
    const lines: string[] = []
    const variables = { LOG_LEVEL: 'info', SERVICE_SUBMIT_TIMEOUT: '0', ...env(devnet.urls) }
    const server = await build(t, variables, { devnet, logTo: line => lines.push(line) })
    if (after) t.equal((await submit(server, cardBody())).statusCode, 202)
    for (const sign of signs) await until(() => shows(server, lines, sign), `the signs of a wrong ${what}`)
    t.pass(what)
  })
