import type { ComponentChildren } from 'preact'

interface Props<T extends string> {
  legend: string
  name: string
  value: T | undefined
  options: readonly { value: T; label: ComponentChildren; disabled?: boolean }[]
  onChoose: (value: T) => void
}

export function Choice<T extends string>({ legend, name, value, options, onChoose }: Props<T>) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="choice-bar">
        {options.map(option => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChoose(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
