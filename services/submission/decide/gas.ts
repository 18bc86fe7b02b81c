/** The SDK's default gas per transaction byte. No executed transaction uses less. */
const GAS_PER_BYTE = 10

/**
 * The gas that a transaction needs besides its messages, for the account, the signature and the fee: usually 30,000 to
 * 60,000.
 */
export const OWN_GAS = 60_000

/**
 * Two figures agree if neither is more than this many times the other. An unconfirmed figure raises the gas at most by
 * this factor.
 */
const AGREEMENT = 2

export const isSimilar = (a: number, b: number): boolean => Math.max(a, b) <= AGREEMENT * Math.min(a, b)

/** The gas per message that nodes agreed on, or that the only node reported. */
export interface UsualGas {
  agreed: number
  /**
   * The lowest usual figure since then. It falls with more messages, because a transaction's own gas is divided among
   * them.
   */
  lowest: number
  /** The number of messages in the transaction on which they agreed. */
  messages: number
  /** Whether two nodes agreed. */
  isConfirmed: boolean
}

/** A transaction whose gas was simulated. */
export interface GasReport {
  gasUsed: number
  messages: number
  /** The size of the transaction. */
  bytes: number
  /** Whether one of the messages has failed in a block or was refused as out of gas, perhaps because it had too little. */
  hasFailed: boolean
}

/** The figures that nodes reported when they were asked again. */
export interface GasAnswers {
  /** `two`: two nodes agree. `same`: the only configured node repeats its figure. */
  agreement: 'two' | 'same' | 'none'
  /** The figures that agree, or all of them. */
  figures: readonly number[]
}

export interface Believed {
  do: 'believe'
  gas: number
  /** Whether two nodes agreed, now or earlier. */
  isConfirmed: boolean
  usual: UsualGas | undefined
  /** Whether a message needs more than twice the usual gas. */
  isRise: boolean
}

/**
 * Decides which simulated gas to believe: a node may be wrong or lie, and gas costs money. A figure that differs from the
 * usual one, or was too low before, is believed only if another node agrees. Otherwise, the result is at least the usual
 * gas and at most twice that, unless a failure has shown that it is too little. Before any agreement, the lowest figure
 * counts.
 */
export function trustedGas(
  report: GasReport,
  usual: UsualGas | undefined,
  answers?: GasAnswers
): Believed | { do: 'ask' } {
  const { gasUsed, messages, bytes, hasFailed } = report
  // The usual figure per message is too low for a transaction with fewer messages, because its own gas is divided among
  // fewer.
  const own = usual !== undefined && messages < usual.messages ? OWN_GAS : 0
  const believed = (gas: number, isConfirmed: boolean, next = usual): Believed => {
    const atLeast = Math.ceil(Math.max(gas, bytes * GAS_PER_BYTE))
    const isRise = usual !== undefined && atLeast > Math.ceil(AGREEMENT * usual.agreed * messages) + own
    return { do: 'believe', gas: atLeast, isConfirmed, usual: next, isRise }
  }
  const isUsual =
    usual !== undefined &&
    isSimilar(gasUsed / messages, usual.agreed) &&
    gasUsed <= AGREEMENT * usual.lowest * messages
  if (isUsual && !hasFailed) {
    // One node's low figures lower the bound to half of what was agreed, but no further.
    const lowest = Math.max(usual.agreed / AGREEMENT, Math.min(usual.lowest, gasUsed / messages))
    return believed(gasUsed, usual.isConfirmed, { ...usual, lowest })
  }
  if (!answers) return { do: 'ask' }
  const { agreement, figures } = answers
  const [lowest, highest] = [Math.min(...figures), Math.max(...figures)]
  const isConfirmed = agreement === 'two'
  const next = { agreed: highest / messages, lowest: lowest / messages, messages, isConfirmed }
  if (isConfirmed) return believed(highest, true, next)
  const least = usual && usual.lowest * messages
  // The only configured node is believed if its figure is the first or a lower one. A higher one is believed only after
  // a failure.
  if (agreement === 'same' && (hasFailed || least === undefined || highest < least))
    return believed(highest, false, next)
  if (hasFailed) return believed(highest, false)
  if (least === undefined) return believed(lowest, false)
  return believed(Math.min(Math.max(lowest, least), AGREEMENT * least + own), false)
}
