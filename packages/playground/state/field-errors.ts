import { computed } from '@preact/signals'
import { quoteState } from './quote.ts'
import { submissionState } from './submission.ts'

/** Error messages from the last rejection, by field name. */
export const fieldErrors = computed<ReadonlyMap<string, string>>(() => {
  const details = [quoteState.value, submissionState.value].flatMap(state =>
    state.status === 'failed' ? state.problem.details : []
  )
  // Convert the JSON pointer, such as `/targetAddress`, to a field name. Swaps have `amountIn` instead of `amount`.
  return new Map(
    details.map(({ path, message }) => [
      path.replace(/^\/(options\/)?/, '').replace('amountIn', 'amount'),
      message
    ])
  )
})
