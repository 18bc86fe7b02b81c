import { randomUUID } from 'node:crypto'
import { DirectSecp256k1HdWallet, Registry } from '@cosmjs/proto-signing'
import { calculateFee, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { createMessageTypes } from '../../services/messages/index.ts'
import { transferFields } from '../../test/helpers/transfer.ts'
import { DEVELOPMENT_WALLET } from '../devnet/wallets.ts'
import type { Network } from './processes/network.ts'
import { type Answer, isCommitted, runClients, type Submit } from './submissions.ts'

/** The same value as the service's default (interface 17.6). */
const GAS_MULTIPLIER = 1.5
const GAS_PRICE = '0.025'

/**
 * Creates a client that submits as services usually do: a new CosmJS client per request simulates, signs and broadcasts
 * with the library's defaults. Derives the wallet only once, which makes this client faster than many services.
 */
async function usualWay({ rpc, address, env }: Network): Promise<Submit> {
  const { requestTransaction } = createMessageTypes('service')
  const prefix = env['SERVICE_CHAIN_PREFIX'] ?? ''
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(DEVELOPMENT_WALLET, { prefix })
  const registry = new Registry([[requestTransaction.typeUrl, requestTransaction]])
  const gasPrice = GasPrice.fromString(`${GAS_PRICE}${env['SERVICE_CHAIN_DENOM']}`)

  async function submit(): ReturnType<Submit> {
    const value = requestTransaction.fromPartial({ ...transferFields(randomUUID()), creator: address })
    const messages = [{ typeUrl: requestTransaction.typeUrl, value }]
    const client = await SigningStargateClient.connectWithSigner(rpc, wallet, { registry, gasPrice })
    const gas = await client.simulate(address, messages, '')
    const fee = calculateFee(Math.ceil(gas * GAS_MULTIPLIER), gasPrice)
    const { code, height } = await client.signAndBroadcast(address, messages, fee, '')
    client.disconnect()
    return code === 0 ? { height } : { reason: `code ${code}` }
  }

  return () => submit().catch(error => ({ reason: String(error) }))
}

/** The result of the usual way. */
export interface UsualRun {
  answers: Answer[]
  committed: number
  perSecond: number
  /** CPU time of this process per committed submission, in milliseconds. Does not include an HTTP server. */
  cpuMs: number
}

/**
 * Submits in the usual way for `ms` milliseconds, or longer if no submission is committed by then. Stop the service
 * first, because it must be the wallet's only user.
 */
export async function runUsualWay(network: Network, clients: number, ms: number): Promise<UsualRun> {
  const submit = await usualWay(network)
  const [begin, before] = [performance.now(), process.cpuUsage()]
  const elapsed = () => performance.now() - begin
  const answers = await runClients(clients, submit, present => elapsed() < ms || !present.some(isCommitted))
  const { user, system } = process.cpuUsage(before)
  const committed = answers.filter(isCommitted).length
  return {
    answers,
    committed,
    perSecond: (committed * 1000) / elapsed(),
    cpuMs: (user + system) / 1000 / committed
  }
}
