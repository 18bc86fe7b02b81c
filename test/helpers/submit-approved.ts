import { patientFetch, patientPost } from './patient-fetch.ts'
import { TRANSFER } from './transfer-flow.ts'
import { evmUser } from './users.ts'

/** Submits a transfer signed by its user to a running server. @returns the response */
export async function submitApproved(url: string): Promise<unknown> {
  const user = evmUser()
  const transfer = { ...TRANSFER, originAddress: user.address }
  const quoted = await patientFetch(`${url}/submit/fees?${new URLSearchParams(transfer)}`)
  const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = JSON.parse(await quoted.text())
  const { submitAmount: amount, message } = transactionValues.feeFromOrigin
  const options = JSON.stringify({ feeId, signature: await user.sign(message) })
  const submitted = await patientPost(`${url}/submit`, { ...transfer, amount, fee, decimals, options })
  return submitted.json()
}
