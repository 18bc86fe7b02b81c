import { DirectSecp256k1HdWallet, type EncodeObject, Registry } from '@cosmjs/proto-signing'
import { SigningStargateClient } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Devnet } from '../../../devnet/index.ts'
import { DEVELOPMENT_WALLET } from '../../../devnet/wallets.ts'
import {
  createMessageTypes,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../../services/messages/index.ts'

const types = createMessageTypes('service')

const ROUTE = {
  originChain: 'ETH',
  originAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  originSymbol: 'USDT',
  targetChain: 'POL',
  targetAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  targetSymbol: 'USDC',
  fee: '0.41',
  options: '{"feeId":"7b0d3c5e-52f1-4a43-9d8c-0f4a1f0f8a11"}'
}

export function transfer(creator: string, change: Partial<MsgRequestTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = types.requestTransaction
  return { typeUrl, value: fromPartial({ ...ROUTE, creator, amount: '100.5', ...change }) }
}

export function swap(creator: string, change: Partial<MsgRequestSwapTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = types.requestSwapTransaction
  const amounts = { amountIn: '10', amountOut: '9.5', dex: 'uniswap', slippage: '0.5' }
  return { typeUrl, value: fromPartial({ ...ROUTE, creator, ...amounts, ...change }) }
}

/** Signs messages for a devnet with the built-in genesis, as its first account or that of another phrase. */
export async function sign(
  devnet: Devnet,
  messages: EncodeObject[],
  { mnemonic = DEVELOPMENT_WALLET, accountNumber = 0n, sequence = 0 } = {}
): Promise<Uint8Array> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'service' })
  const [account] = await wallet.getAccounts()
  const registry = new Registry([
    [types.requestTransaction.typeUrl, types.requestTransaction],
    [types.requestSwapTransaction.typeUrl, types.requestSwapTransaction]
  ])
  const client = await SigningStargateClient.offline(wallet, { registry })
  const fee = { amount: [{ denom: 'uSERVICE', amount: '50000' }], gas: '2000000' }
  const signed = await client.sign(account?.address ?? '', messages, fee, '', {
    accountNumber,
    sequence,
    chainId: devnet.chain.chainId
  })
  return TxRaw.encode(signed).finish()
}
