import { effect, signal } from '@preact/signals'
import { losesResponse } from '../exchanges.ts'
import { askPlayground } from '../service.ts'
import { catalogue } from './catalogue.ts'
import { quote } from './quote.ts'
import { submissionState, submit } from './submission.ts'

/** The response of the development network (packages/devnet/control/route.ts). */
interface Report {
  /** The faults that it can inject. Empty on other networks. */
  readonly faults: readonly string[]
  /** How many messages with the feeId its blocks have executed. */
  readonly executed?: number
}

export const report = signal<Report>({ faults: [] })

async function ask(body: { feeId?: string | undefined; fault?: string }): Promise<void> {
  const answer = await askPlayground<Report>('devnet', body).catch(() => undefined)
  if (answer !== undefined) report.value = answer
}

/** Submits while something fails: `response` drops the response, others are faults of the network. */
export async function submitDespite(fault: string): Promise<void> {
  if (fault === 'response') losesResponse.value = true
  else await ask({ fault })
  await submit()
}

// Ask for the faults when the page has loaded.
effect(() => {
  if (catalogue.value !== undefined) void ask({})
})

// Count when a submission has succeeded or failed.
effect(() => {
  const { status } = submissionState.value
  const { faults } = report.peek()
  if (status === 'idle') report.value = { faults }
  else if (status !== 'loading' && faults.length > 0) void ask({ feeId: quote.peek()?.feeId })
})
