import { computed } from '@preact/signals'
import { quoteState } from './quote.ts'
import { submissionState } from './submission.ts'

/** What the last refusal says about single fields, by the name of the field. */
export const fieldErrors = computed<ReadonlyMap<string, string>>(() => {
  const details = [quoteState.value, submissionState.value].flatMap(state =>
    state.status === 'failed' ? state.problem.details : []
  )
  // A path is a JSON pointer: `/targetAddress`. A swap and a transfer have other names for the amount.
  return new Map(
    details.map(({ path, message }) => [
      path.replace(/^\/(options\/)?/, '').replace('amountIn', 'amount'),
      message
    ])
  )
})
