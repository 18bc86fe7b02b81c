import type { QueuedMessage } from '../../../services/submission/contract.ts'
import { multiplyUp } from '../../../services/submission/decide/fees.ts'
import type { OwnedStore } from '../../../services/submission/store/operator.ts'
import { CONTROL_GAS, controlTransfer, signTransaction } from '../../../services/submission/transaction.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { type Context, walletOf, walletStateOf } from '../context.ts'
import { OperatorError } from '../errors.ts'

export const setAside: Command = {
  arguments: 'ROW',
  summary: 'sets a damaged row aside, so that the server can go on',
  details: `  ROW  the submissionId, hash or sequence in \`stored TABLE ROW is damaged\` (in quotes if it begins with #)
A submission is never executed again and keeps its identities: its clients get SUBMISSION_DAMAGED. The identities of a
submission can no longer be used. A signed transaction or a slot is signed again.
Stop all servers first, and restore the row from a backup instead if you can.`,
  changes: () => true,
  async run(argv, context) {
    const { argument: row } = readArguments(argv, {}, 'ROW')
    const { store, queries, repairs } = await context.own()
    const damage = await repairs.damageOf(row)
    if (!damage) throw new OperatorError(`${row} is not damaged`)
    if (damage.row !== row) throw new OperatorError(`${row} is not damaged, but: ${damage.message}`)
    const slot = await repairs.setAside(damage)
    if (slot) await signAgain(context, slot, { store, queries })
    context.report({ table: damage.table, row }, `Set aside ${damage.table} ${row}.`)
    return 0
  }
}

/** Signs a slot again, unless its remaining transactions contain all of its submissions. */
async function signAgain(
  context: Context,
  { sequence, submissions }: { sequence: number; submissions: QueuedMessage[] },
  { store, queries }: Pick<OwnedStore, 'store' | 'queries'>
): Promise<void> {
  const left = await queries.signedTxs(sequence, () => {})
  const submissionIds = submissions.map(({ submissionId }) => submissionId)
  const isSigned = (id: string) => left.some(tx => tx.submissionIds.includes(id))
  if (left.length > 0 && submissionIds.every(isSigned)) return
  const account = await walletStateOf(queries)
  const wallet = await walletOf(context, account)
  const { feeDenom: denom, gasPrice } = context.config
  const messages =
    submissions.length > 0
      ? submissions.map(({ typeUrl, message }) => ({ typeUrl, value: message }))
      : [controlTransfer(account.address, denom)]
  const gasLimit = CONTROL_GAS * messages.length
  const plan = { sequence, gasLimit, feeAmount: multiplyUp(BigInt(gasLimit), gasPrice), submissionIds }
  const signed = await signTransaction(wallet, account, { ...plan, messages, denom })
  await store.addSignedTx({ ...plan, ...signed })
}
