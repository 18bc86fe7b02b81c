import type { ChainEvent } from '../../../../devnet/chain/events.ts'
import type { MessageContext } from '../../../../devnet/chain/module.ts'
import type { State } from '../../../../devnet/chain/state/state.ts'
import { createTransferModule, type TransferModule } from '../../../../devnet/modules/transfer/index.ts'
import {
  createMessageTypes,
  type MsgRequestResponse,
  type MsgRequestTransaction,
  msgRequestResponse
} from '../../../../services/messages/index.ts'

export const CREATOR = 'service15yk64u7zc9g9k2yr2wmzeva5qgwxps6ywuegr7'
export const STRANGER = 'service19rl4cm2hmr8afy4kldpxz3fka4jguq0a5wm694'

const types = createMessageTypes('service')

export const TRANSFER: MsgRequestTransaction = types.requestTransaction.fromPartial({
  creator: CREATOR,
  originChain: 'ETH',
  originAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  originSymbol: 'USDT',
  targetChain: 'SOL',
  targetAddress: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  targetSymbol: 'USDC',
  amount: '100.5',
  fee: '0.41',
  options: '{"feeId":"7b0d3c5e-52f1-4a43-9d8c-0f4a1f0f8a11"}'
})

export const SWAP = types.requestSwapTransaction.fromPartial({
  ...TRANSFER,
  amountIn: '10',
  amountOut: '9.5',
  dex: 'auto',
  slippage: '0.5'
})

export interface Outcome {
  response: MsgRequestResponse
  events: ChainEvent[]
}

/** A transfer module on a state of its own, block by block, without the chain around it. */
export interface Bench {
  module: TransferModule
  state: Map<string, unknown>
  transfer(message: Partial<MsgRequestTransaction>): Outcome
  swap(message: Partial<typeof SWAP>): Outcome
  /** Ends the block and begins the next one. @returns the height of the ended block */
  endBlock(): number
}

export function createBench(): Bench {
  const module = createTransferModule({ brand: 'service', prefix: 'service', whitelist: [CREATOR] })
  const store = new Map<string, unknown>()
  const state = viewOf(store)
  let height = 1
  module.initGenesis?.(state, {})

  function contextFor(events: ChainEvent[]): MessageContext {
    return {
      state,
      sdk: '0.47',
      height,
      time: '2024-01-01T00:00:00Z',
      txHash: 'C'.repeat(64),
      emit(type, attributes) {
        const list = Object.entries(attributes).map(([key, value]) => ({ key, value, index: true }))
        events.push({ type, attributes: list })
      }
    }
  }

  function run(typeUrl: string, bytes: Uint8Array): Outcome {
    const handler = module.handlers.find(candidate => candidate.typeUrl === typeUrl)
    if (handler === undefined) throw new Error(`no handler for ${typeUrl}`)
    const events: ChainEvent[] = []
    const message = handler.decode(bytes)
    handler.validateBasic(message)
    const { value } = handler.execute(message, contextFor(events))
    return { response: msgRequestResponse.decode(value), events }
  }

  return {
    module,
    state: store,
    transfer(message) {
      const { typeUrl, encode } = types.requestTransaction
      return run(typeUrl, encode({ ...TRANSFER, ...message }).finish())
    },
    swap(message) {
      const { typeUrl, encode } = types.requestSwapTransaction
      return run(typeUrl, encode({ ...SWAP, ...message }).finish())
    },
    endBlock() {
      module.endBlock?.(contextFor([]))
      return height++
    }
  }
}

function viewOf(store: Map<string, unknown>): State {
  return {
    get: <T>(key: string) => store.get(key) as T | undefined,
    set: (key, value) => void store.set(key, value),
    delete: key => void store.delete(key),
    keys: prefix => [...store.keys()].filter(key => key.startsWith(prefix)).sort()
  }
}
