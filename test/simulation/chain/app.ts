import { createApp } from '../../../packages/devnet/chain/app.ts'
import { getAccount, setAccount } from '../../../packages/devnet/chain/auth/accounts.ts'
import { createBankModule } from '../../../packages/devnet/chain/bank/index.ts'
import { AbciError, sdkError } from '../../../packages/devnet/chain/errors.ts'
import type { ChainModule, MessageContext, MessageHandler } from '../../../packages/devnet/chain/module.ts'
import { chainDefaults } from '../../../packages/devnet/chain/options.ts'
import type { State } from '../../../packages/devnet/chain/state/state.ts'
import type { App } from '../../../packages/devnet/chain/tx/app.ts'
import type { RunMode } from '../../../packages/devnet/chain/tx/context.ts'
import { msgRequestResponse } from '../../../services/messages/index.ts'
import {
  addressOf,
  type Behaviour,
  DENOM,
  encodeMessage,
  isLockName,
  lockOf,
  type ModelMessage,
  PREFIX,
  REQUEST_TYPES,
  readRequest,
  WALLET_ADDRESS
} from './messages.ts'

export const CHAIN_ID = 'model-1'
export const WALLET_FUNDS = 10n ** 12n
export const GAS_PRICE = 0.025

/** What nodes can make the wallet pay. The most expensive message needs 1.25 million gas, 1.9 million with margin. */
export const CAPS = { maxMessageGas: 2_000_000, maxTransactionGas: 25_000_000, maxPriceFactor: 5 }

/** Another wallet on the chain. */
export const OTHER_KEY = new Uint8Array(33).fill(3)
export const OTHER_ADDRESS = addressOf(OTHER_KEY)

export interface Failure {
  code: number
  codespace: string
  log: string
}

export interface Pause extends Failure {
  /** Where the request fails: in the module, or in a circuit breaker before the ante handler. */
  in: 'message' | 'breaker'
}

export interface ChainPlan {
  blockGas: number
  sdk: '0.47' | '0.50'
  /** The wallet's initial sequence; 0 for a new wallet. */
  firstSequence: number
  nodeCount: number
  blockMs: number
}

/** What makes the chain refuse every request or transfer of the wallet. */
export interface Conditions {
  isWhitelisted: boolean
  pause: Pause | undefined
  forbidsTransfers: boolean
}

const ANTE_GAS = 40_000
const MESSAGE_GAS = 60_000
const MOST_GAS = 1_200_000

/** Ratio of the gas that a message needs to its simulated gas. */
const APPETITE: Partial<Record<Behaviour, number>> = { hungry: 2.2, insatiable: 10 }

/** Pads a message's log to a realistic length. */
const LENGTH = { length: '-'.repeat(770) }

function gasOf({ behaviour }: ModelMessage, blockGas: number, isSimulation: boolean): number {
  if (behaviour === 'oversized') return blockGas + 1
  if (behaviour === 'heavy') return Math.min(Math.floor(blockGas * 0.8), MOST_GAS)
  return MESSAGE_GAS * (isSimulation ? 1 : (APPETITE[behaviour] ?? 1))
}

/** The gas of a transaction with this message alone, about. */
export const gasNeeded = (message: ModelMessage, blockGas: number) =>
  ANTE_GAS + gasOf(message, blockGas, false)

const CONDITIONS = 'conditions'
const USUAL: Conditions = { isWhitelisted: true, pause: undefined, forbidsTransfers: false }

function refusalOf({ identity, behaviour }: ModelMessage, isSimulation: boolean, state: State) {
  const { isWhitelisted, pause } = state.get<Conditions>(CONDITIONS) ?? USUAL
  if (!isWhitelisted) return sdkError('unauthorized', 'creator is not whitelisted')
  if (pause?.in === 'message') return new AbciError(pause.codespace, pause.code, pause.log)
  if (behaviour === 'forbidden') return sdkError('unauthorized', 'the user does not own this')
  if (behaviour === 'mocking') return sdkError('invalidRequest', 'no token "not whitelisted: unauthorized"')
  const lock = lockOf(identity)
  if (lock !== undefined && !state.get(lock))
    return new AbciError('transaction', 1101, 'the lock is not registered')
  const isPoison = behaviour === 'poison' || (behaviour === 'hidden-poison' && !isSimulation)
  return isPoison ? new AbciError('transaction', 1100, 'the message fails') : undefined
}

/** Creates the development network's application with a module whose messages behave as they say. */
export function createModelApp({ blockGas, sdk, firstSequence }: ChainPlan) {
  let mode: RunMode = 'deliver'
  let conditions = USUAL

  function execute(message: ModelMessage, context: MessageContext): number {
    const { identity, behaviour } = message
    const { state, emit, consumeGas } = context
    consumeGas(gasOf(message, blockGas, mode === 'simulate'))
    const refusal = refusalOf(message, mode === 'simulate', state)
    if (refusal) throw refusal
    emit('message', LENGTH)
    if (behaviour === 'refused-by-event') {
      emit('error', { code: '400', content: 'no' })
      return 0
    }
    if (isLockName(identity)) {
      state.set(identity, true)
      return 0
    }
    const txId = (state.get<number>('txId') ?? 0) + 1
    state.set('txId', txId)
    const memo = behaviour === 'echoing' ? 'the creator is not whitelisted: unauthorized' : ''
    emit('transaction_requested', { txId: String(txId), memo })
    return txId
  }

  const handler = (typeUrl: string): MessageHandler<ModelMessage> => ({
    typeUrl,
    module: 'model',
    codec: { decode: readRequest, encode: message => ({ finish: () => encodeMessage(message) }) },
    signers: () => [WALLET_ADDRESS],
    validateBasic({ behaviour }) {
      const { pause } = conditions
      if (pause?.in === 'breaker') throw new AbciError(pause.codespace, pause.code, pause.log)
      if (behaviour === 'malformed') throw sdkError('invalidRequest', 'invalid amount')
    },
    execute(message, context) {
      const txId = execute(message, context)
      const code = message.behaviour === 'refused-by-event' ? '400' : '200'
      const value = msgRequestResponse.encode({ code, msg: '', txId: BigInt(txId) }).finish()
      return { typeUrl: '/model.Response', value }
    }
  })

  const transfers = createBankModule(PREFIX).handlers.map(transfer => ({
    ...transfer,
    validateBasic(message: unknown) {
      if (conditions.forbidsTransfers) throw sdkError('unauthorized', 'MsgSend is not allowed')
      transfer.validateBasic(message)
    }
  }))

  const module: ChainModule = {
    handlers: [...REQUEST_TYPES.map(handler), ...transfers],
    initGenesis(state) {
      const account = getAccount(state, WALLET_ADDRESS)
      if (account) setAccount(state, { ...account, sequence: BigInt(firstSequence) })
    }
  }
  const coins = [{ denom: DENOM, amount: WALLET_FUNDS }]
  const accounts = [OTHER_ADDRESS, WALLET_ADDRESS].map(address => ({ address, coins }))
  const genesis = { chainId: CHAIN_ID, accounts }
  const limits = { minGasPrice: '0', maxBlockGas: BigInt(blockGas) }
  const options = { ...chainDefaults, genesis, ...limits, sdk, prefix: PREFIX, feeDenom: DENOM }
  const app: App = {
    ...createApp(options, [module]),
    // The wallet's signatures say which account number they sign.
    verifySignature: ({ raw: { signatures } }, index, _key, { accountNumber }) =>
      signatures[index]?.[0] === Number(accountNumber),
    messageFaults: {
      set() {},
      check(running) {
        mode = running
      }
    }
  }
  return {
    app,
    /** A breaker acts immediately; the rest is part of the state, so it changes with the next block. */
    change(change: Partial<Conditions>): void {
      conditions = { ...conditions, ...change }
      app.store.set(CONDITIONS, conditions)
    }
  }
}
