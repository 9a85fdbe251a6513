import { describe, expect, it } from 'vitest';
import { htmlText } from '../../src/adapters/extract/html-text.js';

const styled = (style: string) => htmlText(`a<span style="${style}">x<b>y</b></span>b`);

describe('text that a reader of a page does not see is left out', () => {
  it.each([
    'hidden',
    'hidden="until-found"',
    'aria-hidden="true"',
    'aria-hidden=" TRUE "',
    'popover',
  ])('by the attribute %s', (attribute) => expect(htmlText(`a<span ${attribute}>x<b>y</b></span>b`)).toBe('ab'));

  it('in a dialog that is not open', () => {
    expect(htmlText('<p>a</p><dialog>x</dialog><dialog open>b</dialog>')).toBe('a\n\nb');
  });

  it.each([
    'display:none',
    'DISPLAY : None !IMPORTANT;',
    'color:red;display:/* a */none',
    'display:none!important;display:block',
    'visibility:hidden',
    'visibility:collapse',
    'content-visibility:hidden',
    'opacity:0',
    'opacity:0.0',
    'opacity:0%',
    'opacity: .01',
    'filter:blur(2px) opacity(0)',
    'font-size:0',
    'font-size:0px',
    'FONT-SIZE: 0.0em',
    'font-size:1px',
    'font-size:1%',
    'font:0/0 a',
    'font: italic 0px serif',
    'color:transparent',
    'color:rgba(1, 2, 3, 0)',
    'color:rgb(1 2 3 / 0%)',
    'color:#12345600',
    '-webkit-text-fill-color:transparent',
    'color:#fff;background:white',
    'background-color:#FFFFFF;color:rgb(255, 255, 255)',
    'text-indent:-9999px',
    'text-indent:-999em',
    'text-indent:9999px',
    'position:absolute;left:-10000px',
    'position:fixed;top:-100vh',
    'position:absolute;left:9999px',
    'position:relative;right:-9999px',
    'margin-left:-9999px',
    'transform:translateX(-9999px)',
    'transform:translate(0, -10000px)',
    'transform:scale(0)',
    'scale:0',
    'height:0;overflow:hidden',
    'max-width:1px;overflow:hidden',
    'position:absolute;clip:rect(0 0 0 0)',
    'clip:rect(1px, 1px, 1px, 1px)',
    'clip-path:inset(50%)',
    'clip-path:circle(0)',
  ])('by the style %s', (style) => expect(styled(style)).toBe('ab'));
});

describe('text that a reader sees is read', () => {
  it.each([
    'display:block',
    '--display:none',
    'display:none;display:inline',
    'opacity:0.5',
    'opacity:1',
    'font-size:10px',
    'font-size:0.8em',
    'font-size:small',
    'font:12px/1.5 a',
    'color:red',
    'color:#fff',
    'color:#fff;background:#000',
    'color:transparent;-webkit-background-clip:text',
    'text-indent:-2em',
    'position:absolute;left:-20px',
    'left:-9999px',
    'position:relative;left:-1170px',
    'transform:translate3d(-1170px,0,0)',
    'transform:translate(-50%,-50%) scale(0.5)',
    'margin-left:-200px',
    'height:0',
    'overflow:hidden;height:20px',
    'clip-path:inset(10%)',
    'background:url(data:image/png;base64,display:none)',
    'display',
    ':none',
    '',
  ])('with the style %s', (style) => expect(styled(style)).toBe('axyb'));

  it.each([
    ['aria-hidden="false"', 'x'],
    ['aria-hidden', 'x'],
    ['class="hidden"', 'x'],
  ])('with the attribute %s', (attribute, text) => expect(htmlText(`<p ${attribute}>x</p>`)).toBe(text));

  it('where an element inside is shown again', () => {
    expect(htmlText('<div style="font-size:0">a<span style="font-size:14px">x</span>b</div>c')).toBe('x\nc');
    expect(htmlText('<div style="font-size:0">a<span style="font-size:2em">x</span></div>c')).toBe('c');
    expect(
      htmlText('<p style="visibility:hidden">a<i style="visibility:visible">x<b style="visibility:inherit">y'),
    ).toBe('xy');
    expect(htmlText('<p style="text-indent:-9999px">a<i style="text-indent:0">x</i></p>')).toBe('x');
    expect(htmlText('<p style="opacity:0">a<i style="opacity:1">x</i></p>b')).toBe('b');
  });

  it('after void elements and elements that are not closed', () => {
    expect(htmlText('<p style="font-size:0">a<br>b<img>c</p><br>x<hr style="font-size:0">y')).toBe('x\n\ny');
    expect(htmlText('<li style="visibility:hidden">a<li>x</ul><p>y')).toBe('- x\n\ny');
  });
});

it('takes a time that grows with the page', () => {
  const page = `${'<p style="/*'.repeat(20_000)}${'<p style="font-size:0;'.repeat(20_000)}${'<b style="x:/*">'.repeat(20_000)}`;
  expect(htmlText(page)).toBe('');
});
