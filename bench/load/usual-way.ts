import { randomUUID } from 'node:crypto'
import { DirectSecp256k1HdWallet, Registry } from '@cosmjs/proto-signing'
import { calculateFee, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { DEVELOPMENT_WALLET } from '../../devnet/wallets.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { transferFields } from '../../test/helpers/transfer.ts'
import type { Network } from '../processes/network.ts'
import type { Submit } from './clients.ts'

/** The service's default (interface 17.6). */
const GAS_MULTIPLIER = 1.5
const GAS_PRICE = '0.025'

/**
 * The way in which services usually submit to a chain: a new CosmJS client for each request, which simulates, signs
 * and broadcasts with the library's defaults. The wallet is derived once, which is faster than in many services.
 */
export async function usualWay({ rpc, address, env }: Network): Promise<Submit> {
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
    return code === 0 ? { outcome: 'committed', height } : { outcome: `code ${code}` }
  }

  return async () => {
    try {
      return await submit()
    } catch (error) {
      return { outcome: reasonOf(error) }
    }
  }
}

function reasonOf(error: unknown): string {
  const text = String(error)
  return text.includes('account sequence mismatch') ? 'wrong sequence' : (text.split('\n', 1)[0] ?? '')
}
