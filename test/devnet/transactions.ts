import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Devnet } from '../../packages/devnet/index.ts'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import {
  createMessageTypes,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../services/messages/index.ts'
import { transferFields } from '../helpers/transfer.ts'
import { DENOM, openWallet, sign as signAs } from './test-chain.ts'

const types = createMessageTypes('service')

const TRANSFER = transferFields('7b0d3c5e-52f1-4a43-9d8c-0f4a1f0f8a11')

export function transfer(creator: string, change: Partial<MsgRequestTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = types.requestTransaction
  return { typeUrl, value: fromPartial({ ...TRANSFER, creator, ...change }) }
}

export function swap(creator: string, change: Partial<MsgRequestSwapTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = types.requestSwapTransaction
  const amounts = { amountIn: '10', amountOut: '9.5', dex: 'auto', slippage: '0.5' }
  return { typeUrl, value: fromPartial({ ...TRANSFER, creator, ...amounts, ...change }) }
}

/** Signs messages with the development wallet for a devnet with the built-in genesis. */
export async function sign(
  { chain: { chainId } }: Devnet,
  messages: EncodeObject[],
  { sequence = 0 } = {}
): Promise<Uint8Array> {
  const fee = { amount: [{ denom: DENOM, amount: '50000' }], gas: '2000000' }
  return signAs(await openWallet(DEVELOPMENT_WALLET, 0n), sequence, messages, { fee, chainId })
}
