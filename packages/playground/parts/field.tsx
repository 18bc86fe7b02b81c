import { computed, type Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { quoteState } from '../state/quote.ts'
import { submissionState } from '../state/submission.ts'

/** Error messages from the last rejection, by field name. */
const fieldErrors = computed<ReadonlyMap<string, string>>(() => {
  const details = [quoteState.value, submissionState.value].flatMap(
    state => (state.status === 'failed' && state.problem.facts.details) || []
  )
  // Convert the JSON pointer, such as `/targetAddress`, to a field name. Swaps have `amountIn` instead of `amount`.
  return new Map(
    details.map(({ path, message }) => [
      path.replace(/^\/(options\/)?/, '').replace('amountIn', 'amount'),
      message
    ])
  )
})

interface Props {
  /** The field's name in requests and in error details. */
  name: string
  label: string
  hint?: string
}

interface FieldAttributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

/**
 * Renders a control with label, hint and the service's error. `children` renders the control with the given attributes.
 */
function Field({
  name,
  label,
  hint,
  children
}: Props & { children: (attributes: FieldAttributes) => ComponentChildren }) {
  const id = `field-${name}`
  const error = fieldErrors.value.get(name)
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error === undefined ? undefined : 'true'
      })}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface SelectProps extends Props {
  value: Signal<string>
  options: readonly { value: string; label: string; disabled?: boolean }[]
  /** Called with the chosen value. By default, sets `value`. */
  onChoose?: (value: string) => void
}

export function SelectField({ value, options, onChoose = set(value), ...field }: SelectProps) {
  return (
    <Field {...field}>
      {attributes => (
        <select {...attributes} value={value.value} onChange={event => onChoose(event.currentTarget.value)}>
          {options.map(option => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface TextProps extends Props {
  value: Signal<string>
  inputMode?: 'decimal'
  class?: string
}

export function TextField({ value, inputMode, class: look, ...field }: TextProps) {
  const onInput = set(value)
  return (
    <Field {...field}>
      {attributes => (
        <input
          {...attributes}
          class={look}
          type="text"
          inputMode={inputMode}
          spellcheck={false}
          autocomplete="off"
          required
          value={value.value}
          onInput={event => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

const set = (signal: Signal<string>) => (value: string) => {
  signal.value = value
}
