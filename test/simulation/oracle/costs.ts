import { gasNeeded } from '../chain/app.ts'
import type { Network } from '../chain/network.ts'
import { CAPS } from '../service/settings.ts'
import type { Disk } from '../store/disk.ts'

const MOST_SIGNED = 24

/** Maximum ratio of the fees paid to the fees for sending each submission once in its own transaction. */
const MOST_FEES = 25

/** Returns the maximum fee of a transaction at a gas price, even if nodes lie. Each re-signing adds one base unit. */
function mostFee(messages: number, gasPrice: number): number {
  const gas = Math.min(CAPS.maxMessageGas * Math.max(1, messages), CAPS.maxTransactionGas)
  return Math.ceil(gas * gasPrice) + MOST_SIGNED
}

/** The service's gas limit divided by the gas needed. */
const GAS_MARGIN = 1.5

/** Returns the maximum number of messages in all simulations: n log n, plus an allowance for retries. */
const mostSimulated = (submissions: number) => 4 * submissions * (Math.log2(submissions + 1) + 2) + 1500

export type Costs = ReturnType<typeof createCosts>

/** Tracks fees and simulations. @param gasPrice the highest price that a node can make the wallet pay */
export function createCosts(disk: Disk, { chain, record }: Network, gasPrice: number) {
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
          if (feeAmount <= mostFee(submissionIds.length, gasPrice)) continue
          beyond = `a transaction with ${submissionIds.length} messages was signed with a fee of ${feeAmount}unit`
        }
      }
    },
    verdict(): string[] {
      const count = disk.submissions.size
      const blockGas = Number(chain.app.maxBlockGas)
      let [paid, honest] = [0, 0]
      for (const { isForeign, fee } of record.consumed.values()) if (!isForeign) paid += fee
      for (const { request } of disk.submissions.values())
        honest += gasNeeded(request, blockGas) * GAS_MARGIN * gasPrice
      const exceeded = beyond === undefined ? [] : [beyond]
      if (signedTxs > MOST_SIGNED) exceeded.push(`a slot was signed ${signedTxs} times`)
      if (paid > MOST_FEES * honest) {
        exceeded.push(
          `the wallet paid ${paid}unit in fees, ${Math.round(paid / honest)} times the expected fees`
        )
      }
      if (simulated > mostSimulated(count)) {
        exceeded.push(`${simulated} messages were simulated for ${count} submissions`)
      }
      return exceeded
    }
  }
}
