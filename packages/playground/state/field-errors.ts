import { computed } from '@preact/signals'
import { quoteState } from './quote.ts'
import { submissionState } from './submission.ts'

/** Error messages of the last refusal by field name. */
export const fieldErrors = computed<ReadonlyMap<string, string>>(() => {
  const details = [quoteState.value, submissionState.value].flatMap(state =>
    state.status === 'failed' ? state.problem.details : []
  )
  // A path is a JSON pointer: `/targetAddress`. Swaps and transfers name the amount differently.
  return new Map(
    details.map(({ path, message }) => [
      path.replace(/^\/(options\/)?/, '').replace('amountIn', 'amount'),
      message
    ])
  )
})
