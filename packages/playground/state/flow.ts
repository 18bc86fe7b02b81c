import { computed, effect, untracked } from '@preact/signals'
import { approval, forgetApproval } from './approval.ts'
import { chosenSide, forgetQuote, quote, quoteRequest } from './quote.ts'
import { forgetSubmission, isLocked, submitted } from './submission.ts'
import { isRail, transfer } from './transfer.ts'
import { forgetWatched, isOver } from './watch.ts'

export const steps = ['transfer', 'quote', 'approval', 'submission', 'status'] as const
export type Step = (typeof steps)[number]

export const titles = computed<Record<Step, string>>(() => ({
  transfer: 'Transfer',
  quote: 'Quote',
  approval: isRail.value ? 'Pay' : 'Sign',
  submission: 'Submit',
  status: 'Watch'
}))

/** The first step that is not done. */
export const currentStep = computed<Step | undefined>(() => {
  if (isOver.value) return undefined
  if (submitted.value !== undefined) return 'status'
  if (approval.value !== undefined) return 'submission'
  if (quote.value !== undefined) return 'approval'
  return 'transfer'
})

export function isDone(step: Step): boolean {
  const current = currentStep.value
  return current === undefined || steps.indexOf(step) < steps.indexOf(current)
}

export function startOver(): void {
  forgetSubmission()
  forgetWatched()
  forgetQuote()
}

// A quote belongs to what it was asked for, an approval to its quote and to who pays the fees, a refusal to all of that.
effect(() => {
  quoteRequest.value
  transfer.means.value
  untracked(() => {
    if (!isLocked.peek()) forgetQuote()
  })
})

effect(() => {
  quote.value
  chosenSide.value
  untracked(() => {
    if (!isLocked.peek()) forgetApproval()
  })
})

effect(() => {
  approval.value
  untracked(() => {
    if (!isLocked.peek()) forgetSubmission()
  })
})
