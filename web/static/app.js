// The pages work without this file; it only saves clicks. What protects against double submission is the server: every
// form carries its Idempotency-Key.
'use strict';

// A form that was sent looks so, and does not send again. Going back makes it usable again.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.matches('[data-once]')) return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  if (event.submitter && event.submitter.name === '_more') return;
  form.dataset.sent = 'yes';
  form.setAttribute('aria-busy', 'true');
});
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-sent]')) {
    delete form.dataset.sent;
    form.removeAttribute('aria-busy');
  }
});

// "More lines" adds a row here instead of asking the server.
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-more]');
  if (!button) return;
  event.preventDefault();
  const lines = button.form.querySelector('[data-lines]');
  const body = lines.querySelector('tbody');
  const count = body.rows.length;
  const row = body.rows[count - 1].cloneNode(true);
  const name = lines.dataset.lines;
  const old = count - 1;
  for (const node of row.querySelectorAll('.error')) node.remove();
  for (const cell of row.querySelectorAll('.wrong')) cell.classList.remove('wrong');
  row.cells[0].textContent = String(count + 1);
  for (const label of row.querySelectorAll('label')) {
    label.htmlFor = label.htmlFor.replace(`f-${name}-${old}-`, `f-${name}-${count}-`);
    const row = label.querySelector('.row');
    row.textContent = row.textContent.replace(` ${old + 1}:`, ` ${count + 1}:`);
  }
  for (const input of row.querySelectorAll('input, select')) {
    input.name = input.name.replace(`${name}.${old}.`, `${name}.${count}.`);
    input.id = input.id.replace(`f-${name}-${old}-`, `f-${name}-${count}-`);
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
    if (input.tagName === 'INPUT') input.value = input.defaultValue && input.dataset.keep ? input.defaultValue : '';
  }
  body.append(row);
  const first = row.querySelector('input, select');
  if (first) first.focus();
});

// A choice of company takes effect at once.
for (const select of document.querySelectorAll('[data-submit]')) {
  select.addEventListener('change', () => select.form.requestSubmit());
}

// The menu is open on wide screens and folded on narrow ones.
const menu = document.querySelector('.menu');
if (menu && window.matchMedia('(max-width: 60rem)').matches) menu.removeAttribute('open');

// What went wrong is read out first.
const wrong = document.querySelector('[data-focus]');
if (wrong) wrong.focus();
