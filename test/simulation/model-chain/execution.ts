import { type Behaviour, lockOf, type ModelMessage, type ModelTransaction } from './transaction.ts'

export interface Failure {
  code: number
  codespace: string
  log: string
}

export interface Pause extends Failure {
  /** Where the request fails: in the module, or in a circuit breaker of the ante handler. */
  in: 'message' | 'ante'
}

export interface WalletState {
  sequence: number
  balance: number
  isWhitelisted: boolean
  pause: Pause | undefined
  forbidsTransfers?: boolean
  /** The names of the registered locks. */
  locks?: readonly string[]
}

const ANTE_GAS = 50_000
const MESSAGE_GAS = 60_000

const MOST_GAS = 1_200_000

/** Ratio of the gas that a message needs to its simulated gas. */
const APPETITE: Partial<Record<Behaviour, number>> = { hungry: 2.2, insatiable: 10 }

const sdk = (code: number, log: string): Failure => ({ code, codespace: 'sdk', log })

export function validate({ messages }: ModelTransaction): Failure | undefined {
  const isMalformed = messages.some(({ behaviour }) => behaviour === 'malformed')
  return isMalformed ? sdk(18, 'invalid amount: invalid request') : undefined
}

const isRequest = ({ behaviour }: ModelMessage) => behaviour !== 'transfer'

export const hasRequest = ({ messages }: ModelTransaction) => messages.some(isRequest)

function tripped(transaction: ModelTransaction, state: WalletState): Failure | undefined {
  const { pause, forbidsTransfers = false } = state
  const isForbidden = forbidsTransfers && !transaction.messages.every(isRequest)
  if (isForbidden) return sdk(4, 'MsgSend is not allowed: unauthorized')
  return pause?.in === 'ante' && hasRequest(transaction) ? pause : undefined
}

function wrongSequence(expected: number, got: number): Failure {
  return sdk(32, `account sequence mismatch, expected ${expected}, got ${got}: incorrect account sequence`)
}

/** Deducts the fee and consumes the sequence, or fails and leaves the state unchanged. */
export function runAnte(
  transaction: ModelTransaction,
  state: WalletState,
  limits: { blockGas: number; minFee?: number }
): Failure | undefined {
  const { sequence, gasLimit, fee } = transaction
  const { blockGas, minFee = 0 } = limits
  const paused = tripped(transaction, state)
  if (paused) return paused
  if (gasLimit > blockGas) {
    return sdk(41, `tx gas limit ${gasLimit} exceeds block max gas ${blockGas}: invalid gas limit`)
  }
  if (fee < minFee) {
    return sdk(13, `insufficient fees; got: ${fee}unit required: ${minFee}unit: insufficient fee`)
  }
  if (state.balance < fee) {
    const log = `spendable balance ${state.balance}unit is smaller than ${fee}unit: insufficient funds`
    return sdk(5, `${log}: insufficient funds`)
  }
  if (sequence !== state.sequence) return wrongSequence(state.sequence, sequence)
  if (gasLimit < ANTE_GAS) {
    return sdk(11, `out of gas in location: txSize; gasWanted: ${gasLimit}, gasUsed: ${ANTE_GAS}: out of gas`)
  }
  state.balance -= fee
  state.sequence += 1
  return undefined
}

function refusalOf(
  message: ModelMessage,
  state: WalletState,
  isSimulation: boolean,
  earlier: readonly ModelMessage[]
) {
  const { behaviour } = message
  if (!isRequest(message)) return state.balance < 1 ? sdk(5, '0unit: insufficient funds') : undefined
  if (!state.isWhitelisted) return sdk(4, 'creator is not whitelisted: unauthorized')
  if (state.pause?.in === 'message') return state.pause
  if (behaviour === 'forbidden') return sdk(4, 'the user does not own this: unauthorized')
  if (behaviour === 'mocking') return sdk(18, 'no token "not whitelisted: unauthorized": invalid request')
  const lock = lockOf(message.identity)
  const isRegistered =
    state.locks?.includes(lock ?? '') ||
    earlier.some(({ identity, behaviour }) => identity === lock && behaviour !== 'refused-by-event')
  if (lock !== undefined && !isRegistered)
    return { code: 1101, codespace: 'transaction', log: 'the lock is not registered' }
  const isPoison = behaviour === 'poison' || (behaviour === 'hidden-poison' && !isSimulation)
  return isPoison ? { code: 1100, codespace: 'transaction', log: 'the message fails' } : undefined
}

function gasOf({ behaviour }: ModelMessage, blockGas: number, isSimulation: boolean): number {
  if (behaviour === 'oversized') return blockGas + 1
  if (behaviour === 'heavy') return Math.min(Math.floor(blockGas * 0.8), MOST_GAS)
  if (behaviour === 'transfer' || isSimulation) return MESSAGE_GAS
  return MESSAGE_GAS * (APPETITE[behaviour] ?? 1)
}

export function gasNeeded(message: ModelMessage, blockGas: number): number {
  return ANTE_GAS + gasOf(message, blockGas, false)
}

/** Runs the messages up to the first failure. `gasUsed` includes the ante handler. */
export function runMessages(
  { messages, gasLimit }: ModelTransaction,
  state: WalletState,
  options: { blockGas: number; isSimulation: boolean }
): { gasUsed: number; failure?: Failure } {
  const { blockGas, isSimulation } = options
  let gasUsed = ANTE_GAS
  for (const [index, message] of messages.entries()) {
    gasUsed += gasOf(message, blockGas, isSimulation)
    if (!isSimulation && gasUsed > gasLimit) {
      const log = `out of gas in location: WriteFlat; gasWanted: ${gasLimit}, gasUsed: ${gasUsed}: out of gas`
      return { gasUsed, failure: sdk(11, log) }
    }
    const refusal = refusalOf(message, state, isSimulation, messages.slice(0, index))
    if (!refusal) continue
    const log = `failed to execute message; message index: ${index}: ${refusal.log}`
    return { gasUsed, failure: { code: refusal.code, codespace: refusal.codespace, log } }
  }
  return { gasUsed }
}

export function simulateTransaction(
  transaction: ModelTransaction,
  state: WalletState,
  blockGas: number
): { gasUsed: number; failure?: Failure } {
  const { sequence } = transaction
  const outOfOrder = sequence === state.sequence ? undefined : wrongSequence(state.sequence, sequence)
  const early = validate(transaction) ?? tripped(transaction, state) ?? outOfOrder
  const { gasUsed, failure } = early
    ? { gasUsed: 0, failure: early }
    : runMessages(transaction, state, { blockGas, isSimulation: true })
  if (!failure) return { gasUsed }
  const gas = `With gas wanted: '18446744073709551615' and gas used: '${gasUsed}'`
  const log = `rpc error: code = Unknown desc = ${failure.log} ${gas} : unknown request`
  return { gasUsed, failure: sdk(6, log) }
}
