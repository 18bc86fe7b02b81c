import { randomUUID } from 'node:crypto'
import type { ChainBlock } from '../../services/chain-client/index.ts'
import {
  everyOne,
  type OperatorQueries,
  type OperatorWrites
} from '../../services/submission/store/operator-store.ts'
import { signerOf } from '../context.ts'
import { contentKey, createRequestReader, type WalletRequest } from './wallet-requests.ts'

/** What transactions unknown to the store have executed. */
export interface Findings {
  /** Unsettled submissions that were settled. */
  settled: number
  /** Requests that the store did not know. */
  recorded: number
}

/** Finds executed requests in blocks. */
export interface Adopter {
  readonly findings: Findings
  /**
   * Settles the unsettled submissions that the block executed, before the block itself is applied, and records executed
   * requests that the store does not know.
   * @param isKnown whether a transaction is in the store, so that applying the block settles its submissions
   */
  adopt(block: ChainBlock, isKnown: (hash: string) => boolean): Promise<void>
  /** Continues with what had to wait until submissions left the slots that the block consumed. */
  applied(): Promise<void>
}

/** The refusal of a submission whose feeId the chain has executed: it was refused, and submitted again with other content. */
const SUPERSEDED = {
  code: 1,
  codespace: 'operator',
  message: 'the chain has executed another request with its feeId'
}

/** Recognizes submissions by their content: the same message with the same options, and so the same feeId. */
export async function createAdopter(
  {
    queries,
    writes
  }: {
    queries: Pick<OperatorQueries, 'signer' | 'list' | 'withIdentity'>
    writes: Pick<OperatorWrites, 'settle' | 'record'>
  },
  brand: string
): Promise<Adopter> {
  const { address } = await signerOf(queries)
  const requestsIn = createRequestReader({ address, brand })
  const unsettled = new Map(
    (await queries.list(everyOne('queued', 'broadcast'))).map(({ submission, typeUrl, message }) => [
      contentKey(typeUrl, message),
      submission.submissionId
    ])
  )
  const findings: Findings = { settled: 0, recorded: 0 }

  /** Requests whose feeId belongs to a submission in a slot. */
  let waiting: WalletRequest[] = []

  async function adoptRequest(request: WalletRequest): Promise<void> {
    const { content, typeUrl, message, identities, execution, ...place } = request
    const submissionId = unsettled.get(content)
    if (submissionId !== undefined) {
      await writes.settle({ ...execution, submissionId }, place)
      unsettled.delete(content)
      findings.settled += 1
      return
    }
    const quote = identities.find(({ kind }) => kind === 'fee')
    if (execution.status !== 'committed' || quote === undefined) return
    const holder = await queries.withIdentity(quote)
    if (holder?.submission.status === 'committed') return
    if (holder?.submission.status === 'broadcast') {
      waiting.push(request)
      return
    }
    if (holder?.submission.status === 'queued') {
      const { submissionId } = holder.submission
      await writes.settle({ submissionId, status: 'rejected', error: SUPERSEDED }, place)
    }
    const recorded = { ...execution, submissionId: randomUUID() }
    await writes.record({ identities, typeUrl, message, execution: recorded }, place)
    findings.recorded += 1
  }

  return {
    findings,
    async adopt(block, isKnown) {
      for (const request of requestsIn(block)) {
        if (!isKnown(request.transactionHash)) await adoptRequest(request)
      }
    },
    async applied() {
      const requests = waiting
      waiting = []
      for (const request of requests) await adoptRequest(request)
    }
  }
}
