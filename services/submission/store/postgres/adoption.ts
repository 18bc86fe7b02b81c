import { identityKey } from '../../identities.ts'
import { planAdoption } from '../adoption.ts'
import { contentHash } from '../content-hash.ts'
import { StoreConflictError } from '../errors.ts'
import { settlement } from '../operator-store.ts'
import { contentHashOf, statusOf, toSubmissionId } from '../rows/index.ts'
import type { Execution, WalletRequest } from '../types.ts'
import { engineSql as sql } from './engine-statements.ts'
import { holdersByKey } from './intake.ts'
import type { Queries } from './queries.ts'
import { storedKey } from './stored-key.ts'

/**
 * Adopts what transactions have executed that the store does not know, within the transaction of these queries.
 * @returns the ids of the submissions that were settled
 */
export async function adoptRequests(
  requests: readonly WalletRequest[],
  options: { queries: Queries; wallet: number; now: () => number }
): Promise<string[]> {
  const ids: string[] = []
  for (const request of requests) ids.push(...(await adoptRequest(request, options)))
  return ids
}

async function adoptRequest(
  request: WalletRequest,
  { queries, wallet, now }: { queries: Queries; wallet: number; now: () => number }
): Promise<string[]> {
  const { identities, typeUrl, message, execution } = request
  const all = [...new Set(identities.map(identity => storedKey(identityKey(identity))))]
  // Intake that takes one of these identities at the same moment waits here, or is waited for.
  await queries.run(sql.claimIdentities, { wallet, keys: all })
  const holders = holdersByKey(await queries.all(sql.findHolders, { wallet, keys: all }))
  const hash = contentHash(typeUrl, message)
  const { settled, keys } = planAdoption(request, identity => {
    const row = holders.get(storedKey(identityKey(identity)))
    if (row === undefined || statusOf(row) === 'rejected') return undefined
    return {
      submissionId: toSubmissionId(row),
      status: statusOf(row),
      isSame: hash.equals(contentHashOf(row))
    }
  })

  async function settle(one: Execution): Promise<void> {
    const { changes } = await queries.run(sql.settleUnsettled, {
      wallet,
      ...settlement(one, request),
      now: now()
    })
    if (changes !== 1) throw new StoreConflictError(`${one.submissionId} is settled already`)
  }

  for (const one of settled) {
    await settle(one)
    await queries.run(sql.leaveVariants, { wallet, id: JSON.stringify(one.submissionId) })
  }
  if (keys.length > 0) {
    const { submissionId } = execution
    await queries.run(sql.insertSubmissions, {
      wallet,
      submissionIds: [submissionId],
      hashes: [hash],
      typeUrls: [typeUrl],
      messages: [Buffer.from(message)],
      now: now()
    })
    const taken = keys.map(storedKey)
    await queries.run(sql.holdIdentities, {
      wallet,
      keys: taken,
      submissionIds: taken.map(() => submissionId)
    })
    await settle(execution)
  }
  await queries.run(sql.releaseIdentities, { wallet, keys: all })
  return settled.map(({ submissionId }) => submissionId)
}
