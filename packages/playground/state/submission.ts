import { computed, signal } from '@preact/signals'
import { bodyOf, type SubmitBody, type SubmitState, type Submitted } from '../../client/index.ts'
import { client } from '../service.ts'
import { approved } from './allowance.ts'
import { approval } from './approval.ts'
import { createLoader } from './loadable.ts'
import { chosenSide, quote } from './quote.ts'

const loader = createLoader<Submitted>()
export const { state: submissionState, value: submitted } = loader

const preparedBody = computed(() => {
  if (quote.value === undefined) return undefined
  const { permit2 } = approved.value ?? {}
  const options = { side: chosenSide.value, ...(permit2 && { permit2 }), ...approval.value }
  return { ...bodyOf(quote.value, options), ...approval.value?.lock }
})

/** The body of the first attempt. Every retry sends the same body (docs/errors.md, Retrying). */
const kept = signal<SubmitBody | undefined>(undefined)

/** The state of the most recent submission. */
export const progress = signal<SubmitState | undefined>(undefined)

/**
 * Whether the form is locked. Once the body has been sent, the user cannot change the transfer, unless the service has
 * definitely not accepted the submission.
 */
export const isLocked = computed(() => {
  const state = submissionState.value
  return kept.value !== undefined && (state.status !== 'failed' || state.problem.facts.mayBeAccepted === true)
})

export const body = computed(() => (isLocked.value ? kept.value : preparedBody.value))

/** Whether the body is a swap. Swaps have a separate route. */
export const isSwapBody = computed(() => body.value !== undefined && 'amountIn' in body.value)

export async function submit(): Promise<void> {
  const sent = body.value
  if (sent === undefined) return
  const isRepeated = isLocked.value
  kept.value = sent
  await loader.load(signal =>
    client.submitAndWait(sent, {
      signal,
      isRepeated,
      onState: state => {
        progress.value = state
      }
    })
  )
}

/** Stops waiting. Keeps the body, because the service might have accepted the submission. */
export const stopSubmitting = loader.cancel

export function forgetSubmission(): void {
  loader.reset()
  kept.value = undefined
  progress.value = undefined
}
