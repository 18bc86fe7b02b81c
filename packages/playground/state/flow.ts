import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals'
import { forgetAllowance } from './allowance.ts'
import { approval, forgetApproval } from './approval.ts'
import { linked } from './link.ts'
import { chosenSide, forgetQuote, quote, quoteRequest, quoteState } from './quote.ts'
import { forgetSubmission, isLocked, submitted } from './submission.ts'
import { signer } from './wallet.ts'
import { forgetWatched, isFailed, isOver } from './watch.ts'

export const steps = ['transfer', 'quote', 'approval', 'submission', 'status'] as const
export type Step = (typeof steps)[number]

export const titles = computed<Record<Step, string>>(() => ({
  transfer: 'Transfer',
  quote: 'Quote',
  approval: signer.value === 'rail' ? 'Pay' : signer.value === 'BTC' ? 'Lock' : 'Sign',
  submission: 'Submit',
  status: 'Watch'
}))

/** The first unfinished step. */
export const currentStep = computed<Step | undefined>(() => {
  if (isOver.value) return undefined
  if (linked.value !== undefined || submitted.value !== undefined) return 'status'
  if (approval.value !== undefined) return 'submission'
  if (quote.value !== undefined) return 'approval'
  return 'transfer'
})

/** The step to look at next: the quote when it arrives, otherwise the current step. */
export const nextStep = computed(() => (currentStep.value === 'approval' ? 'quote' : currentStep.value))

/** Returns whether a step is hidden. A page opened from a transfer's link shows only the last step. */
const isMissing = (step: Step) => linked.value !== undefined && step !== 'status'

export function isDone(step: Step): boolean {
  const current = currentStep.value
  if (step === 'status' && isFailed.value) return false
  return !isMissing(step) && (current === undefined || steps.indexOf(step) < steps.indexOf(current))
}

/**
 * Returns whether a step is open. A step opens when it is reached; the quote step opens as soon as a quote is
 * requested.
 */
export function isOpen(step: Step): boolean {
  if (step === 'quote' && quoteState.value.status !== 'idle') return true
  if (step === 'status' && isOver.value) return true
  return isDone(step) || currentStep.value === step
}

export function startOver(): void {
  linked.value = undefined
  forgetSubmission()
  forgetWatched()
  forgetQuote()
}

// A quote is valid only for its request, an approval only for its quote and fee option, a result only for its approval.
forgetOnChange(forgetQuote, quoteRequest)
forgetOnChange(forgetAllowance, quote, chosenSide)
forgetOnChange(forgetApproval, quote, chosenSide)
forgetOnChange(forgetSubmission, approval)

function forgetOnChange(forget: () => void, ...sources: ReadonlySignal<unknown>[]): void {
  effect(() => {
    for (const source of sources) source.value
    untracked(() => {
      if (!isLocked.peek()) forget()
    })
  })
}
