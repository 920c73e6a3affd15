/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_script.h"

/* Cells are compared as numbers with their units, if they begin with one; of "1 -> 2 s" the last
 * one counts. */
const char page_tables_script[] =
	"const units={ns:1e-9,us:1e-6,ms:1e-3,s:1,min:60,h:3600,d:86400,k:1e3,M:1e6,G:1e9};\n"
	"const value=c=>{const t=c.textContent.split('\\u2192').pop().trim(),"
	"m=/^([+\\u2212-]?)<?([\\d.]+)(?:-[\\d.]+)? ?(\\w*)/.exec(t);\n"
	"return m?(m[1]&&m[1]!='+'?-1:1)*m[2]*(units[m[3]]||1):"
	"t==='-'||t==='\\u2013'||t===''?-Infinity:t};\n"
	"for(const table of document.querySelectorAll('table')){\n"
	"const body=table.tBodies[0];if(!body||!table.tHead||body.rows.length<3)continue;\n"
	"[...table.tHead.rows[0].cells].forEach((th,i)=>{if(!th.textContent)return;"
	"const b=document.createElement('button');\n"
	"b.textContent=th.textContent;b.title='sort';th.replaceChildren(b);let down=false;\n"
	"b.onclick=()=>{down=!down;for(const o of table.tHead.rows[0].cells)"
	"o.removeAttribute('aria-sort');\n"
	"th.setAttribute('aria-sort',down?'descending':'ascending');\n"
	"[...body.rows].map(r=>[value(r.cells[i]),r]).sort(([a],[c])=>{\n"
	"const r=typeof a===typeof c?(a<c?-1:a>c?1:0):typeof a==='number'?-1:1;return down?-r:r})"
	".forEach(([,r])=>body.append(r))}});\n"
	"if(body.rows.length<12)continue;const f=document.createElement('input');\n"
	"f.type='search';f.placeholder='filter rows';f.setAttribute('aria-label','filter rows');\n"
	"f.oninput=()=>{const w=f.value.toLowerCase();for(const r of body.rows)"
	"r.hidden=!r.textContent.toLowerCase().includes(w)};\n"
	"table.parentNode.before(f)}\n";

/* Drawings carry their bars as "left right count range|...", in data-b and data-a.  The numbers of
 * the layout are those of report/svg.c. */
const char page_charts_script[] =
	"for(const s of document.querySelectorAll('svg[data-b]')){\n"
	"const bars=t=>t?t.split('|').map(r=>{const[x,e,n,...l]=r.split(' ');"
	"return{x:+x,e:+e,n:+n,l:l.join(' ')}}):[];\n"
	"const b=bars(s.dataset.b),a=bars(s.dataset.a),tip=document.createElement('output'),"
	"all=[...new Set([...b,...a].map(q=>q.x))].sort((x,y)=>x-y);let at=-1;\n"
	"tip.className='tip';tip.textContent='point at a bar for its numbers';s.after(tip);\n"
	"const show=x=>{const f=v=>v.find(q=>q.x<=x&&x<q.e),p=f(b),q=f(a),"
	"n=(o,w)=>o?w+' '+o.n.toLocaleString('en')+' ':'';\n"
	"tip.textContent=p||q?(p||q).l+': '+n(p||{n:0},'before')+n(q||{n:0},'after')+'calls':"
	"'no calls'};\n"
	"s.onmousemove=e=>{const r=s.getBoundingClientRect();"
	"show((e.clientX-r.left)*s.viewBox.baseVal.width/r.width)};\n"
	"s.tabIndex=0;s.onkeydown=e=>{const d={ArrowLeft:-1,ArrowRight:1}[e.key];if(!d)return;"
	"e.preventDefault();at=Math.min(Math.max(at+d,0),all.length-1);show(all[at])};\n"
	"const t=+s.dataset.top,f=+s.dataset.bottom,most=Math.max(1,...[...b,...a].map(q=>q.n)),"
	"y=n=>f-n/most*(f-t),g=s.querySelector('.counts'),log=g.innerHTML,"
	"paths=[['path.b',b],['path.a',a]].map(([c,v])=>[s.querySelector(c),v])"
	".filter(([p])=>p).map(([p,v])=>[p,v,p.getAttribute('d')]);\n"
	"const k=document.createElement('button');k.className='scale';k.textContent='linear "
	"axis';\n"
	"let linear=false;k.onclick=()=>{linear=!linear;"
	"k.textContent=linear?'logarithmic axis':'linear axis';\n"
	"for(const[p,v,d]of paths)p.setAttribute('d',linear?v.map(q=>"
	"`M${q.x+1} ${f}V${y(q.n)}H${Math.max(q.x+1,q.e-1)}V${f}z`).join(''):d);\n"
	"g.innerHTML=linear?[0,.5,1].map(p=>`<text x=\"${s.dataset.left-6}\" y=\"${y(p*most)+4}\" "
	"class=\"end\">${Math.round(p*most).toLocaleString('en')}</text>`).join(''):log};\n"
	"tip.after(k)}\n";
