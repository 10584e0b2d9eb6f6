// SPDX-License-Identifier: Apache-2.0

import Panes

/// The style sheet of a report: light, dark, narrow and printed.
enum ReportStyle {
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--ground:#f4f6f8;--card:#fff;--ink:#17202b;--faint:#5b6876;--rule:#e4e8ed;--soft:#f0f3f6;
        --c0:#2563eb;--c1:#0d8a7f;--c2:#c27803;--c3:#d13a3a;--c4:#7c4fd6;--c5:#8a96a3;--good:#18794e;--bad:#c22f2f}
        @media (prefers-color-scheme:dark){:root{--ground:#0f1317;--card:#171c22;--ink:#e6eaef;--faint:#9aa7b5;--rule:#2a323b;--soft:#1f262e;
        --c0:#6ba3ff;--c1:#3ccbb8;--c2:#f0b541;--c3:#ff7b72;--c4:#b79bff;--c5:#76828f;--good:#56d08f;--bad:#ff8a80}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
        body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
        main,header,footer{max-width:1180px;margin:0 auto;padding:0 28px}
        header{padding-top:40px}
        .over{margin:0;color:var(--c0);font-weight:600;font-size:13px;letter-spacing:.06em;text-transform:uppercase}
        h1{margin:2px 0 4px;font-size:32px;line-height:1.2;letter-spacing:-.02em;overflow-wrap:anywhere}
        header p{margin:0;color:var(--faint)}header .when{font-size:17px;color:var(--ink)}
        nav{margin:20px 0 0;padding:0;font-size:14px}nav ul{display:flex;flex-wrap:wrap;gap:6px 18px;list-style:none;margin:0;padding:0}
        a{color:var(--c0);text-decoration:none}nav a:hover{text-decoration:underline}a:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
        main{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:20px;padding-top:24px}
        .tiles{grid-column:1/-1;display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:14px}
        .tile{display:flex;flex-direction:column;gap:2px;background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:16px 18px;color:var(--ink)}
        .tile:hover{border-color:var(--c0)}
        .tile .name{color:var(--faint);font-size:13px;font-weight:500;overflow-wrap:anywhere}
        .tile .value{font-size:29px;line-height:1.2;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
        .change{font-size:13px;white-space:nowrap;color:var(--faint)}.change.good{color:var(--good)}.change.bad{color:var(--bad)}
        .spark{width:100%;height:28px;margin-top:8px;overflow:visible}
        section{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:22px 24px;min-width:0;scroll-margin-top:16px}
        section.wide{grid-column:1/-1}
        h2{margin:0;font-size:20px;letter-spacing:-.01em;line-height:1.3}
        h3{margin:0;font-size:14px;font-weight:600}
        .lead{margin:2px 0 16px;color:var(--faint);font-size:14px}
        .note{margin:12px 0 0;color:var(--faint);font-size:13px}
        .nothing{margin:0;padding:18px;border-radius:8px;background:var(--soft);color:var(--faint);text-align:center}
        .trouble{margin:0;padding:14px 18px;border-radius:8px;background:var(--soft);border-left:3px solid var(--c2)}
        .pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:24px}.pair>figure{align-self:end}.pair>:only-child{grid-column:1/-1;max-width:640px}
        section>*+.scroll,section>.scroll+.scroll{margin-top:20px}
        figure{margin:0;min-width:0}
        figcaption p{margin:0 0 6px;color:var(--faint);font-size:12.5px}
        .legend{display:flex;flex-wrap:wrap;gap:2px 16px;list-style:none;margin:0 0 4px;padding:0;font-size:12.5px;color:var(--faint)}
        .legend b{color:var(--ink);font-weight:500}.key{width:24px;height:12px;margin-right:6px;vertical-align:-1px}
        .chart{display:block;width:100%;height:auto;overflow:visible;font-size:12px}
        .chart text{fill:var(--faint);font-variant-numeric:tabular-nums}.chart .mark{fill:var(--ink);font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:3px}
        .middle{text-anchor:middle}.end{text-anchor:end}
        .rule{stroke:var(--rule)}.base{stroke:var(--faint);stroke-opacity:.5}
        .line{fill:none;stroke-width:2.25;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}
        .line.open{stroke-dasharray:3 5}.area{fill-opacity:.12}.dot{stroke:var(--card);stroke-width:1.5}.dot.open{fill:var(--card);stroke-width:2}
        .line.s1{stroke-dasharray:8 4}.line.s2{stroke-dasharray:2 4}
        .column.unfinished{fill-opacity:.35;stroke-width:1;stroke-dasharray:3 2}
        .tip{fill:var(--ink);fill-opacity:0}.tip:hover{fill-opacity:.07}
        .s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}
        .f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}.f5{fill:var(--c5)}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-size:14px}
        caption{text-align:left;font-size:14px;font-weight:600;padding-bottom:6px}
        th,td{padding:7px 10px;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
        th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}
        tbody tr:last-child>*{border-bottom:0}
        thead th{font-size:12.5px;font-weight:500;color:var(--faint);white-space:nowrap}
        tbody th{font-weight:500;overflow-wrap:anywhere;min-width:9em}
        .number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}td.text{overflow-wrap:anywhere}
        small{color:var(--faint);font-weight:400}
        .tag{display:inline-block;margin-left:6px;padding:0 7px;border-radius:99px;background:var(--soft);color:var(--faint);font-size:12px;font-weight:500}
        td.strong{font-weight:600}
        td.bars,th.bars{width:28%;min-width:70px}.bar{display:block;height:10px;margin-top:6px;border-radius:3px;background:var(--c0);min-width:2px}
        .heat{border-collapse:separate;border-spacing:2px}.heat td,.heat th{border:0;padding:6px;white-space:nowrap;font-size:13px}
        .heat td[style]{border-radius:4px}.heat td.strong{color:#fff}.heat tbody th{min-width:0}
        .states{display:block;width:120px;height:12px;border-radius:3px}
        details{margin-top:6px;font-size:13px}summary{color:var(--faint);cursor:pointer;width:max-content}
        details .scroll{max-height:320px;overflow:auto}details caption{display:none}details table{font-size:13px}
        dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:14px 24px;margin:0}
        dt{color:var(--faint);font-size:13px}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
        footer{padding-top:26px;padding-bottom:40px;color:var(--faint);font-size:13px}
        @media (max-width:820px){main,.pair{grid-template-columns:minmax(0,1fr)}main>*{grid-column:1/-1}}
        @media (max-width:600px){main,header,footer{padding-left:14px;padding-right:14px}header{padding-top:24px}h1{font-size:26px}
        section{padding:18px 16px}.tiles{grid-template-columns:repeat(2,minmax(0,1fr));gap:10px}.tile{padding:12px 14px}.tile .value{font-size:22px}
        .change{white-space:normal}.chart{font-size:19px}.bars{display:none}nav{display:none}}
        @media print{:root{--ground:#fff;--card:#fff;--ink:#000;--faint:#444;--rule:#ccc;--soft:#f3f3f3;--c0:#2563eb;--c1:#0d8a7f;--c2:#c27803;--c3:#d13a3a;--c5:#8a96a3;
        --good:#18794e;--bad:#c22f2f}
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{font-size:11px}main,header,footer{max-width:none;padding-left:0;padding-right:0}
        nav,details{display:none}section,.tile,figure,tr{break-inside:avoid}section{padding:14px}.scroll{overflow:visible}.change{white-space:normal}h2{break-after:avoid}}
        @page{margin:14mm}
        """
}
