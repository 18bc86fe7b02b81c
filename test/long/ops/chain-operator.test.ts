import type { Devnet } from '../../../packages/devnet/index.ts'
import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, submit } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

type Urls = Devnet['urls']
const prefix = () => ({ SERVICE_SIGNER_ADDRESS: 'acme15yk64u7zc9g9k2yr2wmzeva5qgwxps6yzdjluy' })
const gasPrice = () => ({ SERVICE_GAS_PRICE: '0.003' })
const rpcNode = ({ rest }: Urls) => ({ SERVICE_BACKEND_NODE_PROVIDER: rest })

type Row = [what: string, env: (urls: Urls) => Variables, log: RegExp, check?: string, detail?: RegExp]
/** Signs in docs/chain-operator.md that no other test shows: of the log, and of a check of /ready. */
const WRONG: Row[] = [
  ['prefix', prefix, /begins with acme, but/, 'signer', /^wallet-unknown$/],
  ['gas price', gasPrice, /^slot signed again: the node requires a higher fee$/],
  ['RPC node', rpcNode, /^RPC node skipped$/, 'rpc', /^0 of 1 nodes healthy/]
]

for (const [what, env, log, check = 'store', detail = /^$/] of WRONG)
  test(`a wrong ${what} shows in /ready or the log`, async t => {
    const devnet = await startNetwork(t)
    const lines: string[] = []
    const variables = { LOG_LEVEL: 'info', SERVICE_SUBMIT_TIMEOUT: '0', ...env(devnet.urls) }
    const server = await build(t, variables, { devnet, logTo: line => lines.push(line) })
    await submit(server, cardBody())
    await until(async () => {
      const texts = lines.map(line => JSON.parse(line)).flatMap(({ msg, reason }) => [msg, reason])
      const found = (await server.inject('/ready')).json().checks[check]
      return texts.some(text => log.test(text)) && detail.test(found.ok ? '' : found.detail)
    }, `the signs of a wrong ${what}`)
    t.pass(what)
  })
