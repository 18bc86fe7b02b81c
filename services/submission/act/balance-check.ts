import type { EngineContext } from './context.ts'

const CHECK_MS = 30_000

/** Creates the loop step that compares the wallet's balance with SERVICE_DAILY_FEE_LIMIT. Two nodes, or the only one, decide. */
export function createBalanceCheck({
  chain,
  wallet,
  settings,
  blockers
}: Pick<EngineContext, 'chain' | 'wallet' | 'settings' | 'blockers'>): () => Promise<number> {
  const { feeDenom, lowBalance } = settings

  return async () => {
    if (lowBalance === undefined) return CHECK_MS
    const { agreed } = await chain.crossCheck({
      question: 'balance',
      ask: node => node.balance(wallet.address, feeDenom),
      agree: (one, other) => one < lowBalance === other < lowBalance
    })
    const [balance] = agreed ?? []
    if (balance === undefined) return CHECK_MS
    if (balance >= lowBalance) blockers.clear('low-balance')
    else blockers.raise('low-balance', `the wallet has ${balance}${feeDenom}, less than ${lowBalance}`)
    return CHECK_MS
  }
}
