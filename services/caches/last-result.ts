/**
 * Makes a function that computes again only for other arguments than the last time. It is for what follows from cached
 * answers: they stay the same objects until they are replaced, and so does the result.
 */
export function lastResult<A extends readonly unknown[], R>(compute: (...args: A) => R): (...args: A) => R {
  let last: { args: A; result: R } | undefined
  return (...args) => {
    if (last === undefined || args.some((arg, index) => arg !== last?.args[index])) {
      last = { args, result: compute(...args) }
    }
    return last.result
  }
}
