import { CAPS, gasNeeded } from '../chain/app.ts'
import type { Network } from '../chain/network.ts'
import type { Disk } from '../store/disk.ts'

const MAX_SIGNED = 24

/** Maximum ratio of the fees paid to the fees for sending each submission once in its own transaction. */
const MAX_FEES = 25

/** Returns the maximum fee of a transaction at a gas price, even if nodes lie. Each re-signing adds one base unit. */
function maxFee(messages: number, gasPrice: number): number {
  const gas = Math.min(CAPS.maxMessageGas * Math.max(1, messages), CAPS.maxTransactionGas)
  return Math.ceil(gas * gasPrice) + MAX_SIGNED
}

/** The service's gas limit divided by the gas needed. */
const GAS_MARGIN = 1.5

/** Returns the maximum number of messages in all simulations: n log n, plus an allowance for retries. */
const maxSimulated = (submissions: number) => 4 * submissions * (Math.log2(submissions + 1) + 2) + 1500

/** The same for each rejected message, if no second node judges it. */
const MAX_SIMULATED_ALONE = 50

export type Costs = ReturnType<typeof createCosts>

/**
 * @param gasPrice the highest price that a node can make the wallet pay
 * @param isAlone whether a refusal can wait in vain for a second node
 */
export function createCosts(disk: Disk, { chain, record }: Network, gasPrice: number, isAlone: boolean) {
  let simulated = 0
  let signedTxs = 0
  let beyond: string | undefined

  return {
    simulated(messages: number): void {
      simulated += messages
    },
    check(): void {
      for (const slot of disk.slots.values()) {
        signedTxs = Math.max(signedTxs, slot.signedTxs.length)
        for (const { feeAmount, submissionIds } of slot.signedTxs) {
          if (feeAmount <= maxFee(submissionIds.length, gasPrice)) continue
          beyond = `a transaction with ${submissionIds.length} messages was signed with a fee of ${feeAmount}unit`
        }
      }
    },
    verdict(): string[] {
      const [own, requests] = [[...record.consumed.values()], [...disk.submissions.values()]]
      const blockGas = Number(chain.app.maxBlockGas)
      const paid = own.reduce((sum, { isForeign, fee }) => sum + (isForeign ? 0 : fee), 0)
      const gas = requests.reduce((sum, { request }) => sum + gasNeeded(request, blockGas), 0)
      const honest = gas * GAS_MARGIN * gasPrice
      const rejected = requests.filter(({ submission }) => submission.status === 'rejected').length
      const most = maxSimulated(requests.length) + (isAlone ? MAX_SIMULATED_ALONE * rejected : 0)
      const exceeded = [
        beyond,
        signedTxs > MAX_SIGNED && `a slot was signed ${signedTxs} times`,
        paid > MAX_FEES * honest && `the wallet paid ${paid}unit in fees, instead of about ${honest}unit`,
        simulated > most && `${simulated} messages were simulated for ${requests.length} submissions`
      ]
      return exceeded.filter(fault => typeof fault === 'string')
    }
  }
}
