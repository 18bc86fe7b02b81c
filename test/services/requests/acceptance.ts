import { createMessageTypes, createRegistry } from '../../../services/messages/index.ts'
import { createAcceptance, type SubmitContext } from '../../../services/requests/accept-submission.ts'
import { swapAmounts } from '../../../services/requests/swap.ts'
import { transferAmounts } from '../../../services/requests/transfer.ts'
import { wallet } from '../../helpers/wallet.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')
export const transfer = { readAmounts: transferAmounts, messageType: requestTransaction }
export const swap = { readAmounts: swapAmounts, messageType: requestSwapTransaction }

/** A request without an idempotency key and caller, for a service without an integrator's validation. */
export const CONTEXT: SubmitContext = {
  validate: () => '',
  idempotencyKey: undefined,
  caller: undefined,
  requester: { requestId: 'req-1' }
}

/**
 * Creates the acceptance of submissions, with checks that pass unless the test replaces them.
 * @param decimalsOf returns a token's decimals on every chain
 */
export const acceptance = (
  decimalsOf: (symbol: string) => number,
  checks: Partial<Parameters<typeof createAcceptance>[0]> = {}
) =>
  createAcceptance({
    environment: 'testnet',
    minVersion: '1.4',
    wallet,
    registry: createRegistry('service'),
    filter: { hasBitcoin: false, allows: () => true },
    chains: {
      status: async () => 'available',
      token: async (_chain, symbol) => ({ address: '', decimals: decimalsOf(symbol), peggedTo: 'USD' }),
      transferLimit: async () => undefined,
      ownAddresses: async () => []
    },
    checkQuote: async () => undefined,
    checkAllowance: async () => {},
    checkLock: async () => undefined,
    checkApproval: async () => ({ status: 'unchecked' }),
    compliance: { assertCompliant: async () => {} },
    submissions: {
      isAccepted: async () => false,
      submit: async () => ({ submissionId: 's-1', status: 'queued', createdAt: '', updatedAt: '' })
    },
    ...checks
  })
